#pragma once

#include <tenon/backend/source/kernel_source.hpp>
#include <tenon/backend/source/launch.hpp>

namespace tenon::source {

/// A device that compiles the text of kernels when the program runs, and starts them.
template <class D>
concept CompilingDevice =
    DistantDevice<D> && requires(typename D::Function function, std::string const& text,
                                 std::vector<LaunchArgument> const& arguments, std::int64_t rows) {
      { D::compile(text, text) } -> std::same_as<typename D::Function>;
      D::launch(function, arguments, rows);
    };

/// What a kernel is started with, in the order of its parameters.
inline std::vector<LaunchArgument> launch_arguments(Kernel const& kernel, void const* result) {
  std::vector<LaunchArgument> all{LaunchArgument::of_memory(result)};
  for (Memory const& memory : kernel.memories)
    all.push_back(LaunchArgument::of_memory(memory.data));
  for (auto const& number : kernel.numbers)
    all.push_back(LaunchArgument::of_number(&number.value, sizeof number.value));
  for (auto const& scalar : kernel.scalars)
    all.push_back(LaunchArgument::of_number(scalar.value.data(), scalar.bytes));
  return all;
}

/// A backend that prints its kernels in a dialect, lets the device compile them, and keeps them for
/// the next recipe that has the same text.
template <CompilingDevice D, class Language>
struct SourceBackend {
  using device = D;
  using dialect = Language;

  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    Functions functions(Language::text);
    Walk walk(functions);
    walk.scalars.are_arguments = true;
    set_steps(walk, out, e.sizes(), E::shape.rank);
    print_rows(walk, e, has_fold<E> ? wanted_row<E> : 0);
    run(functions, finished(walk, e, "kernel_0"), out.data);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    Functions functions(Language::text);
    Walk walk(functions);
    walk.scalars.are_arguments = true;
    print_rows(walk, product, 0);
    run(functions, finished(walk, product, "kernel_0"), out);
  }

 private:
  /// A part of a larger result lies in steps of its own.
  static void set_steps(Walk& walk, MemoryAccess const& out, Sizes const& sizes, int rank) {
    walk.has_steps_of_result = !lies_row_major(out.stride, sizes, rank);
    if (walk.has_steps_of_result) walk.steps_of_result = walk.memories.strides(rank, out.stride);
  }
  static bool lies_row_major(Sizes const& steps, Sizes const& sizes, int rank) {
    Sizes const expected = row_major(sizes, rank);
    return std::equal(steps.begin(), steps.begin() + rank, expected.begin());
  }

  static void run(Functions const& functions, Kernel const& kernel, void const* result) {
    if (kernel.elements == 0) return;
    std::string text(Language::text.prelude);
    text += functions.text();
    text += kernel.text;
    D::launch(Compiled<D>::function(kernel.name, text), launch_arguments(kernel, result),
              kernel.rows);
  }
};

}  // namespace tenon::source
