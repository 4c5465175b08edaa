#pragma once

#include <tenon/backend/codegen/adjoint/node_backward.hpp>
#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/core/config.hpp>

/// Kernels that propagate an adjoint to the leaves of an expression.
namespace tenon::internal::codegen {

/// The adjoints of all leaves are required.
inline bool every_leaf(TapeMark) { return true; }

/// The parameters of backward kernels.
struct Backward {
  Functions& functions;
  std::string name;
  Wanted wanted = every_leaf;
};

/// The kernels that propagate the adjoint of a materialized expression to its leaves; empty if no
/// leaf requires it. For a contraction those of both operands.
std::vector<Kernel> backward_of(Backward const& how, Node e);

/// The same for an expression that reads as `own_product` the result `value` of kernel `number`.
std::vector<Kernel> backward_of(Backward const& how, Node value, int number, Node e);

}  // namespace tenon::internal::codegen

namespace tenon::codegen {

using internal::codegen::backward_of;

}  // namespace tenon::codegen

#if TENON_DEFINES_RUNTIME

#include <tenon/backend/codegen/matmul/tiled.hpp>

namespace tenon::internal::codegen {

/// The sum of the parts of element `row`, in order; by a group, in a fixed tree.
TENON_RUNTIME int sum_of_row(Walk& walk, ReductionOp const& op, std::string const& elements,
                             std::string const& chunks, int block) {
  Listing& l = walk.listing;
  std::string_view const type = op.dtype->text;
  auto const part = [&](int chunk, int) {
    std::string const place = l.text(chunk) + " * " + elements + " + row";
    return Value(l, l.value(type, "parts[" + place + "]", {chunk}));
  };
  if (walk.cut.has_members)
    return Lanes(walk, op, block).total({"0", chunks}, walk.cut.block(), part);
  int const sum = l.variable(type, op.identity(l.dialect()), block);
  auto const chunk = l.loop(chunks, block);
  combine(l, op, sum, part(chunk.counter, chunk.block), chunk.block);
  l.close(chunk.block);
  return sum;
}

/// Emits the addition of the partial sums to each element of an adjoint.
TENON_RUNTIME void emit_sum(Walk& walk, LeafAdjoint const& adjoint, Quantity const& elements,
                            Quantity const& chunks) {
  Listing& l = walk.listing;
  Loops loops(l, 0);
  (void)open_rows(walk, {elements}, 1, 0, loops);
  std::string const each = walk.variables.text(elements), parts = walk.variables.text(chunks);
  ReductionOp const& op =
      sum_of(adjoint.element_bytes == sizeof(float) ? dtype_of<float> : dtype_of<double>);
  int const sum = sum_of_row(walk, op, each, parts, loops.block());
  if (walk.cut.has_members) loops.enter_header("if (member == 0)");
  l.line(loops.block(), adjoint.name + "[row] += " + l.text(sum) + ";");
  loops.close();
}

/// Few elements with many partial sums have a group each.
TENON_RUNTIME Cut cut_of_parts(Functions const& functions, LeafAdjoint const& adjoint) {
  Cut cut;
  if (adjoint.elements < 4096) cut = cut_for(functions, adjoint.elements, adjoint.parts);
  cut.pieces = 1;
  return cut.has_members ? cut : Cut();
}

/// The kernel that adds the partial sums of an adjoint to it.
TENON_RUNTIME Kernel sum_of_parts(Functions& functions, std::string name,
                                  LeafAdjoint const& adjoint, bool is_static) {
  Walk walk(functions);
  walk.cut = cut_of_parts(functions, adjoint);
  auto const quantity = [&](std::string const& wish, std::int64_t number) {
    return is_static ? Quantity{number} : walk.variables.fresh(wish, number);
  };
  emit_sum(walk, adjoint, quantity("elements", adjoint.elements),
           quantity("chunks", adjoint.parts));
  Kernel kernel{std::move(name), {}, adjoint.leaf.type, adjoint.elements, adjoint.element_bytes};
  kernel.adjoints = {adjoint};
  using Is = Argument::Is;
  return with_text(std::move(kernel), walk, "// " + adjoint.name + ": the sum of its parts\n",
                   {{Is::leaf_adjoint, 0}, {Is::summed_parts, 0}});
}

/// A kernel with its text, and those that add partial sums.
TENON_RUNTIME std::vector<Kernel> with_sums(Kernel kernel, Reverse& reverse,
                                            Partitioning const& partitioning,
                                            std::string const& type) {
  using Is = Argument::Is;
  std::vector<Argument> first{{Is::adjoint}};
  for (auto const& entry : reverse.adjoints().all()) {
    std::size_t const i = kernel.adjoints.size();
    kernel.adjoints.push_back(entry.adjoint);
    if (partitioning.has_parts(i)) kernel.adjoints.back().parts = partitioning.chunks;
    first.push_back({partitioning.has_parts(i) ? Is::parts : Is::leaf_adjoint, i});
  }
  if (partitioning.has_chunks)
    kernel.work.rows = partitioning.count(reverse.sizes(), reverse.rank());
  std::string const comments = adjoint_comments(kernel, type);
  std::vector<Kernel> all{with_text(std::move(kernel), reverse.walk(), comments, first)};
  std::vector<LeafAdjoint> const adjoints = all[0].adjoints;
  for (LeafAdjoint const& own : adjoints) {
    std::string const name = all[0].name + "_sum_" + own.name;
    if (own.parts > 0)
      all.push_back(sum_of_parts(reverse.listing().functions(), name, own, partitioning.is_static));
  }
  return all;
}

/// The backward kernels emitted by `emit(reverse)` for a result of such a type. Emitted in two
/// passes: the first records the additions to leaves, which determine the partition of rows.
TENON_RUNTIME std::vector<Kernel> backward(Backward const& how, Kernel kernel,
                                           std::string const& type,
                                           Callback<void(Reverse&)> const& emit) {
  Partitioning const alone;
  Walk first(how.functions);
  Reverse trial(first, how.wanted, alone);
  emit(trial);
  if (trial.adjoints().all().empty()) return {};
  Partitioning const partitioning = partitioning_for(trial.adjoints(), trial.sizes(), trial.rank(),
                                                     has_groups(how.functions), first.cut);
  Walk walk(how.functions);
  Reverse reverse(walk, how.wanted, partitioning);
  emit(reverse);
  return with_sums(std::move(kernel), reverse, partitioning, type);
}
TENON_RUNTIME std::vector<Kernel> backward(Backward const& how, Node e,
                                           Callback<void(Reverse&)> const& emit) {
  return backward(how, kernel_without_text(e, how.name), ir::type_text(e), emit);
}

/// The kernels that propagate the adjoint of a contraction to one operand.
TENON_RUNTIME std::vector<Kernel> backward_kernels_of_factor(Backward const& how, Node e,
                                                             bool is_left) {
  if (auto const numbers = tiles_back(how.functions, how.wanted, e, is_left))
    return {tiled_factor(how.functions, how.name, *numbers, e, is_left)};
  return backward(how, e, [&](Reverse& reverse) { backward_factor(reverse, e, is_left); });
}

/// The same for both.
TENON_RUNTIME std::vector<Kernel> backward_kernels_of_factors(Backward const& how, Node e) {
  auto const of = [&](std::string_view name) {
    return Backward{how.functions, std::string(how.name).append(name), how.wanted};
  };
  auto all = backward_kernels_of_factor(of("_left"), e, true);
  for (Kernel& kernel : backward_kernels_of_factor(of("_right"), e, false))
    all.push_back(std::move(kernel));
  return all;
}

TENON_RUNTIME std::vector<Kernel> backward_of(Backward const& how, Node e) {
  if (e.is(NodeKind::product)) return backward_kernels_of_factors(how, e);
  return backward(how, e, [&](Reverse& reverse) {
    if (leads_back(reverse, e)) backward_all_rows(reverse, e);
  });
}

TENON_RUNTIME std::vector<Kernel> backward_of(Backward const& how, Node value, int number, Node e) {
  return backward(how, e, [&](Reverse& reverse) {
    reverse.own_product = number;
    reads_product(reverse.walk(), value);
    if (leads_back(reverse, e)) backward_all_rows(reverse, e);
  });
}

}  // namespace tenon::internal::codegen

#endif
