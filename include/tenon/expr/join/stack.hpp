#pragma once

#include <tenon/expr/join/join.hpp>
#include <tenon/expr/view/expand.hpp>

/// Stacking along a new axis. The result is a tensor; every operand is computed directly into its
/// part of it.
namespace tenon::internal {

struct StackName {
  static constexpr std::string_view name = "stack";
  static constexpr std::string_view form = "stack<\"layer\">(a, b)";
};

/// A new axis at a place: its name, and one entry per operand.
template <Spec axis, int place_, class... E>
struct StackRule {
  static constexpr Parsed word = parse(axis.view());
  static constexpr bool one_axis = word.ok() && word.shape.rank == 1 && word.shape[0].is_bare();
  static constexpr Joining joining =
      join_rule(std::array<Shape const*, sizeof...(E)>{&E::shape...}, -1);
  static constexpr Shape operands = joining.shape;
  static constexpr int place = place_ < 0 ? operands.rank + 1 + place_ : place_;
  static constexpr bool has_room = operands.rank < max_rank;
  static constexpr bool fits = one_axis && has_room && place >= 0 && place <= operands.rank;
  static constexpr Shape shape =
      fits ? inserted(operands, place, named_axis(word.shape[0].name.view(), sizeof...(E)))
           : Shape{};
  static constexpr FixedText text = !word.ok()  ? "the new axis is malformed"
                                    : !one_axis ? "the new axis is one name"
                                    : !has_room ? "a tensor has at most eight axes"
                                                : "no place for a new axis";
};

template <Spec axis, int place, class... E>
constexpr auto stack_type() {
  using Rule = StackRule<axis, place, E...>;
  using operands = typename decltype(operands_mistake<StackName, E...>())::type;
  if constexpr (!std::is_void_v<operands>) return std::type_identity<operands>{};
  else if constexpr (!Rule::joining.fits) return joining_mistake<StackName, Rule, E...>();
  else if constexpr (!Rule::fits)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<StackName>, spec_of_text<Rule>, axis, spec_of<E>...>>{};
  else return std::type_identity<JoinedTensor<Rule, E...>>{};
}

template <Spec axis, int place, Expression... X>
using Stacked = typename decltype(stack_type<axis, place, StoredOperand<X>...>())::type;

/// Operands of one dtype and shape along a new axis at a position, by default the first: two of
/// "batch d" give "layer=2 batch d" by `stack<"layer">(a, b)`, "batch d layer=2" by
/// `stack<"layer", -1>(a, b)`. Throws `ShapeError` where their sizes differ. PyTorch: `stack`.
template <Spec axis, int place = 0, Expression... X>
  requires(sizeof...(X) > 0) && WellFormed<Stacked<axis, place, X&&...>>
constexpr auto stack(X&&... x) -> Stacked<axis, place, X&&...> {
  using Rule = StackRule<axis, place, StoredOperand<X&&>...>;
  auto places = places_along<sizeof...(X)>("stack", Rule::operands, -1, {x.sizes()...});
  Sizes sizes = unit_sizes();
  for (int i = 0; i < Rule::operands.rank; ++i)
    at(sizes, i < Rule::place ? i : i + 1) = at(places.sizes, i);
  at(sizes, Rule::place) = sizeof...(X);
  for (std::size_t k = 0; k < sizeof...(X); ++k)
    at(places.starts[k], Rule::place) = static_cast<std::int64_t>(k);
  auto result = Stacked<axis, place, X&&...>::uninitialised(sizes);
  if constexpr (Rule::place == 0)
    return assembled(std::move(result), places.starts, 1, hold(std::forward<X>(x))...);
  else
    return assembled(std::move(result), places.starts, 0,
                     unsqueeze<"", Rule::place>(std::forward<X>(x))...);
}
template <Spec axis, int place = 0, Expression... X, IllFormed R = Stacked<axis, place, X&&...>>
  requires(sizeof...(X) > 0)
auto stack(X&&... x) -> R;
template <Spec axis, int place>
struct StackCall : StackName, BesideNew<place> {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(stack<axis, place>(std::forward<X>(x)...)) {
    return stack<axis, place>(std::forward<X>(x)...);
  }
};
template <Spec axis, int place = 0, class... X>
  requires Dispatches<StackCall<axis, place>, X&&...>
auto stack(X&&... x) {
  return Dispatch<StackCall<axis, place>, X&&...>::of(std::forward<X>(x)...);
}
template <Spec axis, int place = 0, class... X, class R = Refused<StackCall<axis, place>, X...>>
auto stack(X const&...) -> R;
template <Expression X, class Name = StackName, class R = AxisForm<Name>>
auto stack(std::initializer_list<X>, NumberOrText = -1) -> R;
template <class Name = StackName, class R = AxisForm<Name>>
auto stack(AnyExpression, AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::stack;

}  // namespace tenon
