#pragma once

#include <utility>

#include <tenon/expr/reduction/mean.hpp>
#include <tenon/expr/view/rearrangement.hpp>
#include <tenon/expr/view/views.hpp>

/// The three functions of einops. The axes of the result are named by the pattern. The result is
/// lazy where possible: a permutation is a view, which matmul reads without a copy. Axes are split
/// and merged by reshaping a tensor, which copies nothing; an expression is evaluated first.
namespace tenon::internal {

struct RearrangeName {
  static constexpr std::string_view name = "rearrange";
  static constexpr std::string_view form = "rearrange<\"h w -> w h\">(x)";
};
struct ReduceName {
  static constexpr std::string_view name = "reduce";
};
struct RepeatName {
  static constexpr std::string_view name = "repeat";
  static constexpr std::string_view form = "repeat<\"h w -> h w c=3\">(x)";
};

/// The match of a pattern with an operand.
template <class Name, Spec pattern, class E>
struct RearrangeRule {
  using name = Name;
  static constexpr Rearrangement value = rearrangement(
      pattern.view(), E::shape, {std::same_as<Name, ReduceName>, std::same_as<Name, RepeatName>});
  static constexpr RearrangeSteps steps = value.fits ? rearrange_steps(value) : RearrangeSteps{};
  static constexpr FixedText text = value.mistake;
};

/// The operand split into its factors.
template <class Rule>
struct SplitRule {
  static constexpr Shape shape = without_names(Rule::value.split);
};
/// The base, permuted; axes are merged afterwards.
template <class Rule>
struct PermuteRule {
  static constexpr Shape shape = without_names(Rule::value.permuted);
  static constexpr AxisMap order = Rule::steps.order;
};
/// The result; a view where nothing is merged.
template <class Rule>
struct ResultRule {
  static constexpr Shape const& shape = Rule::value.shape;
  static constexpr AxisMap order = Rule::steps.direct;
};

/// A tensor of the dtype and the device of `E`.
template <class Rule, class E>
using TensorBy = Tensor<typename E::value_type, spec_of<Rule>, typename E::device>;

/// The stored operand, split where the pattern splits it.
template <class Rule, class E>
constexpr auto split_base(E const& x, Sizes const& split) {
  if constexpr (Rule::steps.splits)
    return reshaped<TensorBy<SplitRule<Rule>, E>>(evaluate_expression(x), split);
  else return x;
}

/// The permuted base, with the names of the pattern.
template <class Rule, class E>
constexpr auto placed(E x, Sizes const& permuted) {
  using Result = TensorBy<ResultRule<Rule>, E>;
  constexpr RearrangeSteps const& steps = Rule::steps;
  Sizes const sizes = merged_sizes(Rule::value, permuted);
  if constexpr (!steps.moves && !steps.merges && spec_of<E> == spec_of<ResultRule<Rule>>) return x;
  else if constexpr (!steps.moves && (TensorType<E> || steps.merges))
    return reshaped<Result>(evaluate_expression(x), sizes);
  else if constexpr (!steps.merges) return index_map<ResultRule<Rule>>(std::move(x), sizes);
  else
    return reshaped<Result>(
        evaluate_expression(index_map<PermuteRule<Rule>>(std::move(x), permuted)), sizes);
}

/// `x` reduced over the axes that the pattern leaves out.
template <class Op, class Rule, class E>
constexpr auto reduced_base(E const& x) {
  if constexpr (Rule::steps.reduced == 0) return x;
  else if constexpr (std::same_as<Op, op::mean>) {
    std::int64_t number = 1;
    for (int i = 0; i < E::shape.rank; ++i)
      number *= has_axis(Rule::steps.reduced, i) ? at(x.sizes(), i) : 1;
    auto const total = reduced_base<op::sum, Rule>(x);
    return total / static_cast<typename E::value_type>(number);
  } else return ReductionNode<Op, E, Rule::steps.reduced, false>(x);
}

template <class Rule, class Op, class E>
constexpr auto rearranged(E const& x) {
  Sizes const split = split_sizes(Rule::value, x.sizes(), Rule::name::name);
  return placed<Rule>(reduced_base<Op, Rule>(split_base<Rule>(x, split)),
                      permuted_sizes(Rule::value, split));
}

template <class Rule>
concept PatternFits = Rule::value.fits;

/// A pattern as a function object; how a part of a tensor is rearranged follows from the pattern.
template <class Name, Spec pattern>
struct PatternCall : Name {};

/// Names the reason why a pattern does not fit.
template <class Name, Spec pattern, Expression E>
using PatternMistake =
    error::pattern_does_not_fit<spec_of_name<Name>, spec_of_text<RearrangeRule<Name, pattern, E>>,
                                pattern, spec_of<E>>;

/// Axes moved, split, merged: `rearrange<"batch t (head=8 d) -> batch head t d">(x)`. The axes of
/// the result have the names of the pattern, a merged axis none. Throws `ShapeError` where a
/// run-time size does not split. einops: `rearrange`.
template <Spec pattern, Expression X>
  requires PatternFits<RearrangeRule<RearrangeName, pattern, StoredOperand<X&&>>>
constexpr auto rearrange(X&& x) {
  using Rule = RearrangeRule<RearrangeName, pattern, StoredOperand<X&&>>;
  return rearranged<Rule, op::none>(hold(std::forward<X>(x)));
}
template <Spec pattern, Expression X>
  requires(!PatternFits<RearrangeRule<RearrangeName, pattern, StoredOperand<X &&>>>)
auto rearrange(X&& x) -> PatternMistake<RearrangeName, pattern, Unqualified<X>>;
template <Spec pattern, class... X>
  requires Dispatches<PatternCall<RearrangeName, pattern>, X&&...>
auto rearrange(X&&... x) {
  return Dispatch<PatternCall<RearrangeName, pattern>, X&&...>::of(std::forward<X>(x)...);
}
template <Spec pattern, class... X, class R = Refused<PatternCall<RearrangeName, pattern>, X...>>
auto rearrange(X const&...) -> R;
template <class Name = RearrangeName, class R = PatternForm<Name>>
auto rearrange(AnyExpression, NumberOrText) -> R;

/// Axes added by repetition: `repeat<"height width -> height width channel=3">(x)`; an image twice
/// as large by `repeat<"height width -> (height i=2) (width j=2)">(x)`. The axes of the result have
/// the names of the pattern, a merged axis none, unless a declared type names it. einops: `repeat`.
template <Spec pattern, Expression X>
  requires PatternFits<RearrangeRule<RepeatName, pattern, StoredOperand<X&&>>>
constexpr auto repeat(X&& x) {
  using Rule = RearrangeRule<RepeatName, pattern, StoredOperand<X&&>>;
  return rearranged<Rule, op::none>(hold(std::forward<X>(x)));
}
template <Spec pattern, Expression X>
  requires(!PatternFits<RearrangeRule<RepeatName, pattern, StoredOperand<X &&>>>)
auto repeat(X&& x) -> PatternMistake<RepeatName, pattern, Unqualified<X>>;
template <Spec pattern, class... X>
  requires Dispatches<PatternCall<RepeatName, pattern>, X&&...>
auto repeat(X&&... x) {
  return Dispatch<PatternCall<RepeatName, pattern>, X&&...>::of(std::forward<X>(x)...);
}
template <Spec pattern, class... X, class R = Refused<PatternCall<RepeatName, pattern>, X...>>
auto repeat(X const&...) -> R;
template <class Name = RepeatName, class R = PatternForm<Name>>
auto repeat(AnyExpression, NumberOrText) -> R;

/// Whether `Op` can reduce `E`; the mean of masks and integers is computed in `float`.
template <class Op, class E>
concept ReducesDtype = ReductionsDtype<Op, E> ||
                       (std::same_as<Op, op::mean> && ReductionsDtype<op::sum, Floating<E const&>>);

template <class Op, class X>
constexpr decltype(auto) reduced_dtype(X&& x) {
  if constexpr (std::same_as<Op, op::mean>) return as_floating(std::forward<X>(x));
  else return widened<Op>(std::forward<X>(x));
}

template <class Op, Spec pattern, class E>
constexpr auto reduce_mistake() {
  if constexpr (PatternFits<RearrangeRule<ReduceName, pattern, E>>) return dtype_mistake<Op, E>();
  else return std::type_identity<PatternMistake<ReduceName, pattern, E>>{};
}

template <class Op, Spec pattern, class E>
concept Reduces = ReducesDtype<Op, E> && PatternFits<RearrangeRule<ReduceName, pattern, E>>;

/// The axes whose words are not on the right are reduced by `op::sum`, `mean`, `max`, `min`,
/// `prod`: `reduce<"batch h w c -> batch c", op::mean>(x)`; average pooling is
/// `reduce<"(h i=2) (w j=2) -> h w", op::mean>(x)`. The axes of the result have the names of the
/// pattern, a merged axis none. Dtypes are those of `sum` and so on. einops: `reduce`.
template <Spec pattern, class Op, Expression X>
  requires Reduces<Op, pattern, StoredOperand<X&&>>
constexpr auto reduce(X&& x) {
  auto const kept = hold(reduced_dtype<Op>(std::forward<X>(x)));
  return rearranged<RearrangeRule<ReduceName, pattern, Unqualified<decltype(kept)>>, Op>(kept);
}
template <Spec pattern, class Op, Expression X>
  requires(!Reduces<Op, pattern, StoredOperand<X &&>>)
auto reduce(X&& x) -> typename decltype(reduce_mistake<Op, pattern, Unqualified<X>>())::type;
template <Spec, class Op, class X, class R = Refused<ReduceName, X>>
auto reduce(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::rearrange;
using internal::reduce;
using internal::repeat;

}  // namespace tenon
