#pragma once

#include <tenon/backend/source/kernel_source.hpp>
#include <tenon/backend/source/launch.hpp>
#include <tenon/backend/source/pull_on_device.hpp>
#include <tenon/backend/source/recall.hpp>

namespace tenon::source {

/// A device that compiles the text of kernels when the program runs, and starts them.
template <class D>
concept CompilingDevice =
    DistantDevice<D> && requires(typename D::Function function, std::string const& text,
                                 std::vector<LaunchArgument> const& arguments, std::int64_t rows) {
      { D::compile(text, text) } -> std::same_as<typename D::Function>;
      D::launch(function, arguments, rows);
    };

/// A backend that prints its kernels in a dialect, lets the device compile them, and keeps them for
/// the next recipe that has the same text.
template <CompilingDevice D, class Language>
struct SourceBackend {
  using device = D;
  using dialect = Language;

  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    compute(e, out, has_fold<E> ? wanted_row<E> : 0);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    MemoryAccess to;
    to.data = reinterpret_cast<std::byte const*>(out);
    to.stride = row_major(product.sizes(), E::shape.rank);
    compute(product, to, 0);
  }

  template <class E>
  static void pull(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    pull_from(e, adjoint.data, tape);
  }

  template <class E>
  static void pull_contract(E const& product, typename E::value_type const* adjoint, Tape& tape) {
    pull_from(product, adjoint, tape);
  }

 private:
  /// Starts the kernels that pass an adjoint back: those that are known, or new ones.
  template <class E>
  static void pull_from(E const& e, void const* adjoint, Tape& tape) {
    PulledOccurrence own;
    own.note(e);
    own.note_marks(tape, e);
    auto const& known = Recall<D, E, RecalledPull<D>>::kernel(own.key, [&] {
      Functions functions(Language::text);
      auto const wanted = [&](TapeMark mark) { return tape.records(mark); };
      RecalledPull<D> made{{}, own};
      for (Kernel const& kernel : pulled({functions, "pull", wanted, true}, e))
        made.kernels.push_back({compiled(functions, kernel), unowned(kernel)});
      return made;
    });
    PullOnDevice<D>{tape, adjoint, known.of, own}.run(known.kernels);
  }

  /// Starts the kernel of a recipe: one that is known, or a new one.
  template <class E>
  static void compute(E const& e, MemoryAccess const& out, int row_axes) {
    if (count(e.sizes(), E::shape.rank) == 0) return;
    Occurrence own;
    bool const is_part = !lies_row_major(out.stride, e.sizes(), E::shape.rank);
    if (is_part) own.key.assign(out.stride.begin(), out.stride.end());
    own.key.push_back(is_part);
    own.note(e);
    auto const& known = Recall<D, E>::kernel(own.key, [&] {
      Functions functions(Language::text);
      Walk walk(functions);
      walk.scalars.are_arguments = true;
      walk.has_steps_of_result = is_part;
      if (is_part) walk.steps_of_result = walk.memories.strides(E::shape.rank, out.stride);
      print_rows(walk, e, row_axes);
      Kernel const kernel = finished(walk, e, "kernel_0");
      return recalled(compiled(functions, kernel), kernel, own);
    });
    D::launch(known.function, known.arguments_for(own, out.data), known.rows);
  }

  /// A part of a larger result lies in steps of its own.
  static bool lies_row_major(Sizes const& steps, Sizes const& sizes, int rank) {
    Sizes const expected = row_major(sizes, rank);
    return std::equal(steps.begin(), steps.begin() + rank, expected.begin());
  }

  static typename D::Function compiled(Functions const& functions, Kernel const& kernel) {
    std::string text(Language::text.prelude);
    text += functions.text();
    text += kernel.text;
    return Compiled<D>::function(kernel.name, text);
  }
};

}  // namespace tenon::source
