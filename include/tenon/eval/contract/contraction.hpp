#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/operand_memory.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/eval/contract/uncast.hpp>

namespace tenon::internal {

/// The labels of a contraction with their strides in the operands and the result.
LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents, Sizes const& left,
                     Sizes const& right, Sizes const& out);

/// The same for a node, whose result is row-major.
LoopLabels labels_of(ir::Node product, Sizes const& left, Sizes const& right);

/// Calls `f` with the plan of a contraction to `out`, row-major, while the operands are in memory.
template <class Backend, class E, class F>
void with_plan(E const& e, typename E::value_type* out, F const& f) {
  ir::Node const product = node_of(e);
  if constexpr (multiplies_uncast<Backend, E>) {
    using T = UncastDtype<0, E>;
    OperandMemory const a = memory_of(uncast(product.operand_at(0)));
    OperandMemory const b = memory_of(uncast(product.operand_at(1)));
    auto plan =
        plan_labels<Backend>(labels_of(product, a.strides, b.strides), a.template elements<T>(),
                             b.template elements<T>(), out, false);
    if (plan && Backend::takes_halves(plan->matrix)) return f(plan);
  }
  auto const a = elements_of_operand<Backend>(operand_at<0>(e));
  auto const b = elements_of_operand<Backend>(operand_at<1>(e));
  auto plan = plan_labels<Backend, reads_any_steps<E>>(labels_of(product, a.strides(), b.strides()),
                                                       a.data(), b.data(), out, false);
  f(plan);
}

/// Computes a contraction to `out`, row-major.
template <class Backend, class E>
void run_plan(E const& e, typename E::value_type* out) {
  with_plan<Backend>(e, out, [](auto& plan) {
    using T = typename Unqualified<decltype(*plan)>::value_type;
    if (plan) Backend::template multiply<reads_any_steps<E>>(*plan, AfterPart<T>{});
  });
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

/// Adds the strides of a tensor to those of the labels of its axes.
inline void add_strides(LoopLabels& labels, std::int64_t LoopLabel::*step, AxisMap const& axes,
                        Sizes const& strides) {
  for (std::size_t i = 0; i < max_rank; ++i)
    if (axes[i] >= 0) labels[axes[i]].*step += strides[i];
}

TENON_RUNTIME LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents,
                                   Sizes const& left, Sizes const& right, Sizes const& out) {
  LoopLabels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
    labels.add({extents[i], 0, 0, 0});
  add_strides(labels, &LoopLabel::a, rule.left, left);
  add_strides(labels, &LoopLabel::b, rule.right, right);
  add_strides(labels, &LoopLabel::c, rule.out, out);
  return labels;
}

TENON_RUNTIME LoopLabels labels_of(ir::Node product, Sizes const& left, Sizes const& right) {
  Contraction const& rule = *product->contraction;
  LabelExtents const extents = product.extents();
  Sizes const sizes = sizes_of_labels(extents, rule.out, product.rank());
  return labels_of(rule, extents, left, right, row_major(sizes, product.rank()));
}

}  // namespace tenon::internal

#endif
