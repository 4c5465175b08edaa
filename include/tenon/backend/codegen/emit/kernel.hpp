#pragma once

#include <tenon/backend/codegen/emit/leaf_adjoint.hpp>
#include <tenon/backend/codegen/emit/tiled_rows.hpp>
#include <tenon/backend/codegen/launch/launch.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

/// The kind of a kernel argument.
struct Argument {
  enum class Is {
    result,        ///< Output, all of it.
    product,       ///< Output: the matmul fused into the kernel.
    adjoint,       ///< The adjoint of the result, row-major; input.
    leaf_adjoint,  ///< `adjoints[at]`; accumulated.
    reduced,  ///< `reductions[at]`: partial results of chunks of rows; written by the first, else
              ///< read.
    parts,    ///< The partial sums of `adjoints[at]`, contiguous; accumulated, initially zero.
    summed_parts,  ///< The same as input of the kernel that adds them.
    memory,        ///< `memories[at]`; input.
    number,        ///< `numbers[at]`.
    scalar         ///< `scalars[at]`.
  };
  Is is;
  std::size_t at = 0;
};

/// Partial results of chunks of rows, for later kernels.
struct ReducedParts : Reduced::Parts {
  std::size_t place;  ///< Index among those of an expression.
  std::string name;
  bool is_written = false;  ///< Otherwise it is read.
};

/// A kernel as text, with its arguments: the result, the input memories, and the run-time sizes and
/// numbers, in this order. In a backward kernel `type`, `elements` and `element_bytes` are those of
/// the adjoint that it propagates.
struct Kernel {
  std::string name;
  std::string text;
  std::string_view type;  ///< Of the result's elements.
  std::int64_t elements;
  std::int64_t element_bytes;
  std::vector<Memory> memories{};
  std::vector<Variables::Argument> numbers{};
  std::vector<Scalars::Argument> scalars{};
  std::vector<LeafAdjoint> adjoints{};  ///< The targets of a backward kernel.
  std::vector<ReducedParts> reductions{};
  std::vector<Argument> arguments{};  ///< All, in order.
  Work work{};
  void const* product = nullptr;    ///< The memory of the fused matmul, if it is required,
  std::string_view product_type{};  ///< and the type of its elements.
  int with_backward = -1;           ///< The kernel of a plan whose result's adjoint it reads.
};

/// The targets of a backward kernel, as comments.
std::string adjoint_comments(Kernel const& kernel, std::string const& type);

/// Emits the loops of an expression; the last `row_axes` axes are iterated within a row.
void print_rows(Walk& walk, Node e, int row_axes);

/// Binds `own_product` of an expression: recomputed, or the result of an earlier kernel.
void reads_product(Walk& walk, Node product);

/// A kernel with its text, which begins with a comment; `first` are its first arguments.
Kernel with_text(Kernel kernel, Walk& walk, std::string const& comment,
                 std::vector<Argument> first);

/// A kernel without its text.
Kernel kernel_without_text(Node e, std::string name);

/// Completes the kernel of a codegen context.
Kernel finished(Walk& walk, Node e, std::string name);

/// The kernel of a materialized expression.
Kernel printed(Functions& functions, std::string name, Node e);

/// The kernel of a materialized expression whose `own_product` is recomputed, or the result of an
/// earlier kernel.
Kernel printed(Functions& functions, std::string name, Node product, Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

/// All arguments of a kernel, after the given first ones.
TENON_RUNTIME std::vector<Argument> arguments_of(Kernel const& kernel,
                                                 std::vector<Argument> first) {
  for (std::size_t i = 0; i < kernel.memories.size(); ++i)
    first.push_back({Argument::Is::memory, i});
  for (std::size_t i = 0; i < kernel.numbers.size(); ++i)
    first.push_back({Argument::Is::number, i});
  for (std::size_t i = 0; i < kernel.scalars.size(); ++i)
    first.push_back({Argument::Is::scalar, i});
  for (std::size_t i = 0; i < kernel.reductions.size(); ++i)
    first.push_back({Argument::Is::reduced, i});
  return first;
}

/// One parameter of a kernel in a dialect.
TENON_RUNTIME std::string parameter_of(Dialect const& dialect, Kernel const& kernel,
                                       Argument argument, std::size_t place) {
  auto const emit = [&](std::string_view pattern, std::string_view type, std::string const& name) {
    return filled(pattern, {std::string(type), name, std::to_string(place)});
  };
  using Is = Argument::Is;
  std::size_t const at = argument.at;
  if (argument.is == Is::result) return emit(dialect.result, kernel.type, "out");
  if (argument.is == Is::product) return emit(dialect.result, kernel.product_type, "product");
  if (argument.is == Is::adjoint) return emit(dialect.operand, kernel.type, "adjoint");
  if (argument.is == Is::number) return emit(dialect.size, "i64", kernel.numbers[at].name);
  if (argument.is == Is::scalar)
    return emit(dialect.size, kernel.scalars[at].type, kernel.scalars[at].name);
  if (argument.is == Is::memory)
    return emit(dialect.operand, kernel.memories[at].type, kernel.memories[at].name);
  if (argument.is == Is::reduced) {
    ReducedParts const& own = kernel.reductions[at];
    return emit(own.is_written ? dialect.result : dialect.operand, own.type, own.name);
  }
  LeafAdjoint const& own = kernel.adjoints[at];
  if (argument.is == Is::summed_parts) return emit(dialect.operand, own.leaf.type, "parts");
  return emit(dialect.result, own.leaf.type, own.name);
}

/// The parameters of a kernel: the values of `$0 $1 $2` in the patterns of a dialect.
TENON_RUNTIME std::string kernel_parameters(Dialect const& dialect, Kernel const& kernel) {
  std::vector<std::string> all;
  all.reserve(kernel.arguments.size());
  for (Argument const& argument : kernel.arguments)
    all.push_back(parameter_of(dialect, kernel, argument, all.size()));
  return joined(all, ", ");
}

/// The inputs of a kernel, as comments.
TENON_RUNTIME std::string memory_comments(Kernel const& kernel) {
  std::string text;
  for (Memory const& memory : kernel.memories) {
    text += "// " + memory.name + ": " + std::string(memory.dtype) + " \"" + memory.spec + "\"";
    if (memory.earlier >= 0) text += ", the result of kernel_" + std::to_string(memory.earlier);
    text += "\n";
  }
  return text;
}

TENON_RUNTIME std::string adjoint_comments(Kernel const& kernel, std::string const& type) {
  std::string text = "// adjoint: " + type + "\n";
  for (LeafAdjoint const& own : kernel.adjoints) {
    text += "// " + own.name + ": the adjoint of " + own.leaf.name;
    if (own.parts > 0) text += ", in parts";
    text += "\n";
  }
  return text;
}

/// Emits the store of the element computed within the loops; in a block that all work items of a
/// group run, one of them stores.
TENON_RUNTIME void store(Walk& walk, Quantities const& sizes, int rank, Places const& at,
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

/// The work size for a number of rows, partitioned along the axes of the rows.
TENON_RUNTIME Work work_of(Walk const& walk, std::int64_t rows) {
  Work work{rows * walk.cut.pieces};
  for (int i = 0; i < walk.rows.rank; ++i)
    work.rows *= walk.rows.sizes[static_cast<std::size_t>(i)].number;
  if (!walk.cut.has_members) return work;
  return {1, std::min<std::int64_t>(work.rows, most_groups), walk.cut.lanes};
}

TENON_RUNTIME Kernel with_text(Kernel kernel, Walk& walk, std::string const& comment,
                               std::vector<Argument> first) {
  kernel.memories = walk.memories.all();
  kernel.numbers = walk.variables.arguments();
  kernel.scalars = walk.scalars.all();
  for (std::size_t const place : walk.parts)
    kernel.reductions.push_back({walk.reduced->all[place], place, "p" + std::to_string(place)});
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

TENON_RUNTIME void print_rows(Walk& walk, Node e, int row_axes) {
  if (walk.cut.lanes == 0) {
    walk.cut = cut_of(walk.listing.functions(), e, row_axes);
    walk.cut.pieces = 1;
  }
  Quantities const sizes = sizes_of(walk, e);
  Loops loops(walk.listing, 0);
  int const axis = row_axes == 0 ? tile_axis(walk, e) : -1;
  Places const at = axis < 0 ? open_rows(walk, sizes, e.rank(), row_axes, loops)
                             : TiledRows(walk, sizes, e.rank(), axis).open(loops);
  std::string const value = text_of(walk.listing, element_of(walk, e, at), *e->text->dtype);
  store(walk, sizes, e.rank(), at, value, loops);
}

TENON_RUNTIME void reads_product(Walk& walk, Node product) {
  walk.product_sizes = sizes_of(walk, product);
  walk.product = [&walk, product](Places const& at) { return element_of(walk, product, at).name; };
}

TENON_RUNTIME Kernel kernel_without_text(Node e, std::string name) {
  Dtype const& dtype = *e->text->dtype;
  return {std::move(name), {}, dtype.text, e.count(), static_cast<std::int64_t>(dtype.bytes)};
}

TENON_RUNTIME Kernel finished(Walk& walk, Node e, std::string name) {
  return with_text(kernel_without_text(e, std::move(name)), walk,
                   "// out: " + ir::type_text(e) + "\n", {{Argument::Is::result}});
}

TENON_RUNTIME Kernel printed(Functions& functions, std::string name, Node e) {
  Walk walk(functions);
  print_rows(walk, e, e->wanted_row);
  return finished(walk, e, std::move(name));
}

TENON_RUNTIME Kernel printed(Functions& functions, std::string name, Node product, Node e) {
  Walk walk(functions);
  reads_product(walk, product);
  print_rows(walk, e, 0);
  return finished(walk, e, std::move(name));
}

}  // namespace tenon::internal::codegen

#endif
