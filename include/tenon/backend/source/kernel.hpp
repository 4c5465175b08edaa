#pragma once

#include <tenon/backend/source/folds.hpp>

namespace tenon::source {

/// A kernel as a text, and what it is called with: the result, the memory it reads, and the
/// run-time sizes and numbers, in this order.
struct Kernel {
  std::string name;
  std::string text;
  std::string_view type;  ///< Of the result's elements.
  std::int64_t elements;
  std::int64_t element_bytes;
  std::vector<Memory> memories{};
  std::vector<Variables::Argument> numbers{};
  std::vector<Scalars::Argument> scalars{};
  std::int64_t rows = 1;  ///< That the dialect deals out.
};

/// The parameters of a kernel: what `$0 $1 $2` are in the patterns of a dialect.
inline std::string kernel_parameters(Dialect const& dialect, Kernel const& kernel) {
  std::vector<std::string> all;
  auto const add = [&](std::string_view pattern, std::string_view type, std::string const& name) {
    all.push_back(filled(pattern, {std::string(type), name, std::to_string(all.size())}));
  };
  add(dialect.result, kernel.type, "out");
  for (Memory const& memory : kernel.memories) add(dialect.operand, memory.type, memory.name);
  for (auto const& number : kernel.numbers) add(dialect.size, "i64", number.name);
  for (auto const& scalar : kernel.scalars) add(dialect.size, scalar.type, scalar.name);
  return joined(all, ", ");
}

/// What a kernel reads and writes, as comments.
inline std::string kernel_comment(Kernel const& kernel, std::string const& type) {
  std::string text = "// out: " + type + "\n";
  for (Memory const& memory : kernel.memories) {
    text += "// " + memory.name + ": " + std::string(memory.dtype) + " \"" + memory.spec + "\"";
    if (memory.earlier >= 0) text += ", the result of kernel_" + std::to_string(memory.earlier);
    text += "\n";
  }
  return text;
}

/// Opens the loops of a kernel of which the last `row_axes` of `rank` axes are walked within a row;
/// where its elements are.
inline Places open_rows(Walk& walk, Quantities const& sizes, int rank, int row_axes, Loops& loops) {
  Listing& listing = walk.listing;
  walk.rows = {rank - row_axes, -1, sizes};
  std::string const count = product_text(walk.variables, sizes, 0, walk.rows.rank);
  walk.rows.row = listing.parameter(
      "row", loops.enter_header(filled(listing.functions().dialect().rows, {count})));
  Places at{};
  for (int i = 0; i < rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (i < walk.rows.rank) at[axis] = {{Rows::term(i)}};
    else at[axis] = loops.enter(walk.variables.text(sizes[axis]));
  }
  return at;
}

/// Stores the element that is computed within the loops.
inline void store(Walk& walk, Quantities const& sizes, int rank, Places const& at,
                  std::string const& value, Loops& loops) {
  IndexText const index = walk.listing.within(loops.block(), [&] {
    return walk.has_steps_of_result ? strided_index(walk.indexing(), walk.steps_of_result, rank, at)
                                    : row_major_index(walk.indexing(), sizes, rank, at);
  });
  walk.listing.line(loops.block(), "out[" + index.text + "] = " + value + ";");
  loops.close();
}

template <class E>
void print_rows(Walk& walk, E const& e, int row_axes) {
  Quantities const sizes = sizes_of(walk, e);
  Loops loops(walk.listing, 0);
  Places const at = open_rows(walk, sizes, E::shape.rank, row_axes, loops);
  std::string const value = term_of(element_of(walk, e, at)).text;
  store(walk, sizes, E::shape.rank, at, value, loops);
}

/// A kernel with its text; `type` is the dtype and spec of its result.
inline Kernel with_text(Kernel kernel, Walk& walk, std::string const& type) {
  kernel.memories = walk.memories.all();
  kernel.numbers = walk.variables.arguments();
  kernel.scalars = walk.scalars.all();
  for (int i = 0; i < walk.rows.rank; ++i)
    kernel.rows *= walk.rows.sizes[static_cast<std::size_t>(i)].number;
  Dialect const& dialect = walk.listing.functions().dialect();
  kernel.text = kernel_comment(kernel, type) +
                filled(dialect.kernel, {kernel.name, kernel_parameters(dialect, kernel)}) + " {\n";
  for (std::string const& line : walk.listing.lines()) kernel.text += "  " + line + "\n";
  kernel.text += "}\n";
  return kernel;
}

template <class E>
Kernel finished(Walk& walk, E const& e, std::string name) {
  using T = typename E::value_type;
  Kernel kernel{std::move(name), {}, type_text<T>, count(e.sizes(), E::shape.rank), sizeof(T)};
  return with_text(std::move(kernel), walk,
                   std::string(dtype_name<T>).append(" \"").append(spec_of<E>.view()) + "\"");
}

/// The kernel of a settled recipe.
template <class E>
Kernel printed(Functions& functions, std::string name, E const& e) {
  Walk walk(functions);
  print_rows(walk, e, has_fold<E> ? wanted_row<E> : 0);
  return finished(walk, e, std::move(name));
}

/// The kernel of a product with the settled recipe that reads it as `own_product`.
template <class P, class E>
Kernel printed(Functions& functions, std::string name, P const& product, E const& e) {
  Walk walk(functions);
  walk.product_sizes = sizes_of(walk, product);
  walk.product = [&](Places const& at) { return element_of(walk, product, at).name; };
  print_rows(walk, e, 0);
  return finished(walk, e, std::move(name));
}

/// Prints what a plan runs.
class Printer {
 public:
  explicit Printer(Dialect const& dialect) : functions_(dialect) {}

  template <class E>
  int kernel(E const& e) {
    return add(printed(functions_, next_name(), e));
  }
  template <class E>
  int product(E const& e) {
    return add(printed(functions_, next_name(), e));
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    return add(printed(functions_, next_name(), product, e));
  }

  std::vector<Kernel> const& kernels() const { return kernels_; }
  std::string const& functions() const { return functions_.text(); }

 private:
  std::string next_name() const { return "kernel_" + std::to_string(kernels_.size()); }
  int add(Kernel kernel) {
    kernels_.push_back(std::move(kernel));
    return static_cast<int>(kernels_.size()) - 1;
  }

  Functions functions_;
  std::vector<Kernel> kernels_;
};

}  // namespace tenon::source
