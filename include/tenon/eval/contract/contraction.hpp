#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/operand_memory.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/eval/contract/uncast.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/expr/contract/matmul.hpp>

namespace tenon::internal {

/// The labels of a contraction with their strides in the operands and the result.
LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents, Sizes const& left,
                     Sizes const& right, Sizes const& out);

/// The same for a node, whose result is row-major.
template <class A, class B, class Rule>
LoopLabels labels_of(Contract<A, B, Rule> const& e, Sizes const& left, Sizes const& right) {
  return labels_of(Rule::contraction, e.extents(), left, right,
                   row_major(e.sizes(), Rule::contraction.shape.rank));
}

/// Calls `f` with the plan of a contraction to `out`, row-major, while the operands are in memory.
template <class Backend, class A, class B, class Rule, class F>
void with_plan(Contract<A, B, Rule> const& e, typename A::value_type* out, F const& f) {
  if constexpr (multiplies_uncast<Backend, Contract<A, B, Rule>>) {
    auto const a = memory_of(strided_of(operand_at<0>(e)));
    auto const b = memory_of(strided_of(operand_at<1>(e)));
    auto plan =
        plan_labels<Backend>(labels_of(e, a.strides, b.strides), a.data, b.data, out, false);
    if (plan && Backend::takes_halves(plan->matrix)) return f(plan);
  }
  constexpr bool stepped = reads_steps<A> || reads_steps<B>;
  auto const a = elements_of_operand<Backend>(operand_at<0>(e));
  auto const b = elements_of_operand<Backend>(operand_at<1>(e));
  auto plan =
      plan_labels<Backend, stepped>(labels_of(e, a.strides, b.strides), a.data, b.data, out, false);
  f(plan);
}

/// Computes a contraction to `out`, row-major.
template <class Backend, class A, class B, class Rule>
void run_plan(Contract<A, B, Rule> const& e, typename A::value_type* out) {
  with_plan<Backend>(e, out, [](auto& plan) {
    using T = typename Unqualified<decltype(*plan)>::value_type;
    if (plan) Backend::template multiply<reads_steps<A> || reads_steps<B>>(*plan, AfterPart<T>{});
  });
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents,
                                   Sizes const& left, Sizes const& right, Sizes const& out) {
  LoopLabels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
    labels.add({extents[i], 0, 0, 0});
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (rule.left[i] >= 0) labels[rule.left[i]].a += left[i];
    if (rule.right[i] >= 0) labels[rule.right[i]].b += right[i];
    if (rule.out[i] >= 0) labels[rule.out[i]].c += out[i];
  }
  return labels;
}

}  // namespace tenon::internal

#endif
