// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/backend/source/launch.hpp>
#include <tenon/backend/source/leaf_adjoint.hpp>
#include <tenon/backend/source/rows.hpp>

namespace tenon::source {

/// What a kernel is called with at one place.
struct Argument {
  enum class Is {
    result,        ///< Written, all of it.
    product,       ///< Written: a product, whose kernel goes on to compute the result.
    adjoint,       ///< The adjoint of the result, row-major; read.
    leaf_adjoint,  ///< `adjoints[at]`; added to.
    folded,  ///< `folds[at]`: what is left of pieces of rows; written by the first, else read.
    parts,   ///< The parts of `adjoints[at]`, one after the other; added to, zeros first.
    summed_parts,  ///< The same where they are added up; read.
    memory,        ///< `memories[at]`; read.
    number,        ///< `numbers[at]`.
    scalar         ///< `scalars[at]`.
  };
  Is is;
  std::size_t at = 0;
};

/// What kernels have left of pieces of rows, for those that follow.
struct FoldedParts : Folded::Parts {
  std::size_t place;  ///< Among those of a recipe.
  std::string name;
  bool is_written = false;  ///< Else it is read.
};

/// A kernel as a text, and what it is called with: the result, the memory it reads, and the
/// run-time sizes and numbers, in this order. Of a backward kernel `type`, `elements` and
/// `element_bytes` are those of the adjoint that it passes back.
struct Kernel {
  std::string name;
  std::string text;
  std::string_view type;  ///< Of the result's elements.
  std::int64_t elements;
  std::int64_t element_bytes;
  std::vector<Memory> memories{};
  std::vector<Variables::Argument> numbers{};
  std::vector<Scalars::Argument> scalars{};
  std::vector<LeafAdjoint> adjoints{};  ///< What a backward kernel adds to.
  std::vector<FoldedParts> folds{};
  std::vector<Argument> arguments{};  ///< All, in order.
  Work work{};
  void const* product = nullptr;    ///< Where the product is wanted as well,
  std::string_view product_type{};  ///< and the type of its elements.
  int pulls = -1;                   ///< The kernel of a plan whose result's adjoint it reads.
};

/// All arguments of a kernel that begins with some.
inline std::vector<Argument> arguments_of(Kernel const& kernel, std::vector<Argument> first) {
  for (std::size_t i = 0; i < kernel.memories.size(); ++i)
    first.push_back({Argument::Is::memory, i});
  for (std::size_t i = 0; i < kernel.numbers.size(); ++i)
    first.push_back({Argument::Is::number, i});
  for (std::size_t i = 0; i < kernel.scalars.size(); ++i)
    first.push_back({Argument::Is::scalar, i});
  for (std::size_t i = 0; i < kernel.folds.size(); ++i) first.push_back({Argument::Is::folded, i});
  return first;
}

/// One of the parameters of a kernel, as a dialect has it.
inline std::string parameter_of(Dialect const& dialect, Kernel const& kernel, Argument argument,
                                std::size_t place) {
  auto const say = [&](std::string_view pattern, std::string_view type, std::string const& name) {
    return filled(pattern, {std::string(type), name, std::to_string(place)});
  };
  using Is = Argument::Is;
  std::size_t const at = argument.at;
  if (argument.is == Is::result) return say(dialect.result, kernel.type, "out");
  if (argument.is == Is::product) return say(dialect.result, kernel.product_type, "product");
  if (argument.is == Is::adjoint) return say(dialect.operand, kernel.type, "adjoint");
  if (argument.is == Is::number) return say(dialect.size, "i64", kernel.numbers[at].name);
  if (argument.is == Is::scalar)
    return say(dialect.size, kernel.scalars[at].type, kernel.scalars[at].name);
  if (argument.is == Is::memory)
    return say(dialect.operand, kernel.memories[at].type, kernel.memories[at].name);
  if (argument.is == Is::folded) {
    FoldedParts const& own = kernel.folds[at];
    return say(own.is_written ? dialect.result : dialect.operand, own.type, own.name);
  }
  LeafAdjoint const& own = kernel.adjoints[at];
  if (argument.is == Is::summed_parts) return say(dialect.operand, own.leaf.type, "parts");
  return say(dialect.result, own.leaf.type, own.name);
}

/// The parameters of a kernel: what `$0 $1 $2` are in the patterns of a dialect.
inline std::string kernel_parameters(Dialect const& dialect, Kernel const& kernel) {
  std::vector<std::string> all;
  all.reserve(kernel.arguments.size());
  for (Argument const& argument : kernel.arguments)
    all.push_back(parameter_of(dialect, kernel, argument, all.size()));
  return joined(all, ", ");
}

/// What a kernel reads, as comments.
inline std::string memory_comments(Kernel const& kernel) {
  std::string text;
  for (Memory const& memory : kernel.memories) {
    text += "// " + memory.name + ": " + std::string(memory.dtype) + " \"" + memory.spec + "\"";
    if (memory.earlier >= 0) text += ", the result of kernel_" + std::to_string(memory.earlier);
    text += "\n";
  }
  return text;
}

/// What a backward kernel adds to, as comments.
inline std::string adjoint_comments(Kernel const& kernel, std::string const& type) {
  std::string text = "// adjoint: " + type + "\n";
  for (LeafAdjoint const& own : kernel.adjoints) {
    text += "// " + own.name + ": the adjoint of " + own.leaf.name;
    if (own.parts > 0) text += ", in parts";
    text += "\n";
  }
  return text;
}

/// Stores the element that is computed within the loops: one member, where all have computed it.
inline void store(Walk& walk, Quantities const& sizes, int rank, Places const& at,
                  std::string const& value, Loops& loops) {
  if (walk.cut.has_members && walk.is_together(loops.block()))
    loops.enter_header("if (member == 0)");
  IndexText const index = walk.listing.within(loops.block(), [&] {
    return walk.has_steps_of_result ? strided_index(walk.indexing(), walk.steps_of_result, rank, at)
                                    : row_major_index(walk.indexing(), sizes, rank, at);
  });
  walk.listing.line(loops.block(), "out[" + index.text + "] = " + value + ";");
  loops.close();
}

template <class E>
void print_rows(Walk& walk, E const& e, int row_axes) {
  if (has_fold<E> && walk.cut.lanes == 0) {
    walk.cut = cut_of(walk.listing.functions(), e, row_axes);
    walk.cut.pieces = 1;
  }
  Quantities const sizes = sizes_of(walk, e);
  Loops loops(walk.listing, 0);
  Places const at = open_rows(walk, sizes, E::shape.rank, row_axes, loops);
  std::string const value = term_of(element_of(walk, e, at)).text;
  store(walk, sizes, E::shape.rank, at, value, loops);
}

/// A recipe reads this as its `own_product`: computed anew, or where an earlier kernel has put it.
template <class P>
void reads_product(Walk& walk, P const& product) {
  walk.product_sizes = sizes_of(walk, product);
  walk.product = [&walk, product](Places const& at) { return element_of(walk, product, at).name; };
}

/// What so many rows of a kernel are dealt out to, each along the axes of its rows.
inline Work work_of(Walk const& walk, std::int64_t rows) {
  Work work{rows * walk.cut.pieces};
  for (int i = 0; i < walk.rows.rank; ++i)
    work.rows *= walk.rows.sizes[static_cast<std::size_t>(i)].number;
  if (!walk.cut.has_members) return work;
  return {1, std::min<std::int64_t>(work.rows, most_groups), walk.cut.lanes};
}

/// A kernel with its text, which begins with a comment; `first` are its first arguments.
inline Kernel with_text(Kernel kernel, Walk& walk, std::string const& comment,
                        std::vector<Argument> first) {
  kernel.memories = walk.memories.all();
  kernel.numbers = walk.variables.arguments();
  kernel.scalars = walk.scalars.all();
  for (std::size_t const place : walk.parts)
    kernel.folds.push_back({walk.folded->all[place], place, "p" + std::to_string(place)});
  if (kernel.work.groups == 0) kernel.work = work_of(walk, kernel.work.rows);
  kernel.arguments = arguments_of(kernel, std::move(first));
  Dialect const& dialect = walk.listing.functions().dialect();
  kernel.text = comment + memory_comments(kernel) +
                filled(kernel.work.groups > 0 ? dialect.group_kernel : dialect.kernel,
                       {kernel.name, kernel_parameters(dialect, kernel),
                        std::to_string(kernel.work.members)}) +
                " {\n";
  for (std::string const& line : walk.listing.lines()) kernel.text += "  " + line + "\n";
  kernel.text += "}\n";
  return kernel;
}

/// The dtype and the spec of a recipe.
inline std::string type_of_recipe(std::string_view dtype, std::string_view spec) {
  return std::string(dtype).append(" \"").append(spec) + "\"";
}
template <class E>
std::string type_of_recipe() {
  return type_of_recipe(dtype_name<typename E::value_type>, spec_of<E>.view());
}

/// A kernel without its text.
inline Kernel kernel_without_text(std::string name, std::string_view type, std::int64_t elements,
                                  std::size_t element_bytes) {
  return {std::move(name), {}, type, elements, static_cast<std::int64_t>(element_bytes)};
}
template <class E>
Kernel kernel_without_text(E const& e, std::string name) {
  using T = typename E::value_type;
  return kernel_without_text(std::move(name), type_text<T>, count(e.sizes(), E::shape.rank),
                             sizeof(T));
}

/// A kernel whose walk is over; `type` is that of its result.
inline Kernel finished(Walk& walk, Kernel kernel, std::string const& type) {
  return with_text(std::move(kernel), walk, "// out: " + type + "\n", {{Argument::Is::result}});
}
template <class E>
Kernel finished(Walk& walk, E const& e, std::string name) {
  return finished(walk, kernel_without_text(e, std::move(name)), type_of_recipe<E>());
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
  reads_product(walk, product);
  print_rows(walk, e, 0);
  return finished(walk, e, std::move(name));
}

/// The kernel of a settled recipe that reads as `own_product` what kernel `number` computed.
template <class P, class E>
Kernel printed(Functions& functions, std::string name, P const& product, int number, E const& e) {
  Walk walk(functions);
  reads_product(walk, earlier(product, number));
  print_rows(walk, e, 0);
  return finished(walk, e, std::move(name));
}

}  // namespace tenon::source
