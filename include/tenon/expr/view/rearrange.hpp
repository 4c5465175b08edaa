#pragma once

#include <utility>

#include <tenon/core/rules/rearrange.hpp>
#include <tenon/expr/reduction/mean.hpp>
#include <tenon/expr/view/packed.hpp>
#include <tenon/expr/view/views.hpp>

namespace tenon::internal {

/// The steps of a rearrangement. The base is the operand, split into factors where that takes a
/// reshape; `reduce` reduces axes of it. Axes of static size 1 are added and dropped without a
/// step.
struct RearrangeSteps {
  bool splits = false;         ///< Some axis has more than one factor.
  AxisBits reduced = 0;        ///< The axes of the base that are reduced.
  bool moves = false;          ///< Elements are permuted or repeated.
  bool merges = false;         ///< Some axis of the result is merged from several.
  AxisMap order = no_axes();   ///< Axis of `permuted` -> axis of the reduced base, or -1.
  AxisMap direct = no_axes();  ///< Axis of the result -> axis of the reduced base, or -1.
};

/// Whether an entry occurs twice among the axes of a shape that are not of size 1.
constexpr bool is_made_of_several(AxisMap const& map, Shape const& shape) {
  std::array<bool, max_rank> seen{};
  for (int i = 0; i < shape.rank; ++i) {
    int const to = map[static_cast<std::size_t>(i)];
    if (to < 0 || shape[i].is_one()) continue;
    if (seen[static_cast<std::size_t>(to)]) return true;
    seen[static_cast<std::size_t>(to)] = true;
  }
  return false;
}

/// The axis of the base for an axis of `split`, or -1.
constexpr int axis_of_base(Rearrangement const& rule, bool splits, int axis) {
  if (axis < 0 || rule.split[axis].is_one()) return -1;
  return splits ? axis : rule.split_from[static_cast<std::size_t>(axis)];
}

/// The axes of the base that are not in the result.
constexpr AxisBits dropped_axes(Rearrangement const& rule, bool splits) {
  AxisBits dropped = 0;
  for (int i = 0; i < rule.split.rank; ++i) {
    int const axis = axis_of_base(rule, splits, i);
    if (axis >= 0 && position_of(rule.order, i) < 0) dropped |= 1u << axis;
  }
  return dropped;
}

/// The position of an axis after those of `reduced` are removed.
constexpr int axis_after_reduction(AxisBits reduced, int axis) {
  int result = axis;
  for (int i = 0; i < axis; ++i) result -= has_axis(reduced, i) ? 1 : 0;
  return result;
}

/// Whether the axes are permuted, or one of them is repeated.
constexpr bool changes_places(Rearrangement const& rule, AxisMap const& order) {
  int last = -1;
  for (int i = 0; i < rule.kept; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    if (axis < 0 && !rule.permuted[i].is_one()) return true;
    if (axis < 0) continue;
    if (axis < last) return true;
    last = axis;
  }
  return false;
}

constexpr RearrangeSteps rearrange_steps(Rearrangement const& rule) {
  RearrangeSteps steps{};
  steps.splits = is_made_of_several(rule.split_from, rule.split);
  steps.reduced = dropped_axes(rule, steps.splits);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.kept); ++i) {
    int const axis = axis_of_base(rule, steps.splits, rule.order[i]);
    int const place = axis < 0 ? -1 : axis_after_reduction(steps.reduced, axis);
    steps.order[i] = static_cast<std::int8_t>(place);
    if (place >= 0) steps.direct[static_cast<std::size_t>(rule.merged_into[i])] = steps.order[i];
  }
  steps.moves = changes_places(rule, steps.order);
  steps.merges = is_made_of_several(rule.merged_into, rule.permuted);
  return steps;
}

/// The sizes of a shape without its names, which may occur twice in intermediate steps.
constexpr Shape without_names(Shape const& shape) {
  Shape result{};
  for (Axis const& axis : shape) {
    Axis& plain = result[result.rank++];
    plain.size = axis.size;
  }
  return result;
}

}  // namespace tenon::internal

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
