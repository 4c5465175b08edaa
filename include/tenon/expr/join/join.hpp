#pragma once

#include <array>
#include <initializer_list>

#include <tenon/core/rules/join.hpp>
#include <tenon/expr/axes.hpp>
#include <tenon/expr/kept_axes.hpp>
#include <tenon/expr/map/mapped.hpp>

/// Concatenation along an axis. The result is a tensor; every operand is computed directly into its
/// part of it.
namespace tenon::internal {

/// The result of joining shapes, or the operand, and its axis, that do not fit the first.
struct Joining {
  bool fits = true;
  Shape shape{};
  int operand = 0;
  int axis = -1;         ///< -1: the operand has another rank.
  bool is_named = true;  ///< false: the axis of that name has another one in the operand.
};

constexpr Joining refused_joining(int operand, int axis) {
  Joining result{};
  result.fits = false;
  result.operand = operand;
  result.axis = axis;
  return result;
}

constexpr Joining misnamed_joining(int operand) {
  Joining result = refused_joining(operand, -1);
  result.is_named = false;
  return result;
}

/// Shapes whose axes agree one by one; the sizes along `joined` (-1: none) add up. `by_name`: that
/// axis has its name, or none, in all shapes.
template <std::size_t N>
constexpr Joining join_rule(std::array<Shape const*, N> const& shapes, int joined,
                            bool by_name = false) {
  Shape result = *shapes[0];
  for (std::size_t k = 1; k < N; ++k) {
    Shape const& other = *shapes[k];
    if (other.rank != result.rank) return refused_joining(static_cast<int>(k), -1);
    AxisMap to = same_order(other.rank);
    if (joined >= 0) to[static_cast<std::size_t>(joined)] = -1;
    if (by_name && !names_agree(result[joined], other[joined]))
      return misnamed_joining(static_cast<int>(k));
    Shape next{};
    for (int i = 0; i < other.rank; ++i) {
      bool const adds = i == joined;
      if (!adds && !agree(result[i], other[i])) return refused_joining(static_cast<int>(k), i);
      next[next.rank++] = adds ? sum_of(result[i], other[i]) : merge(result[i], other[i]);
    }
    result = without_captures(next, std::array<AxisScope, 2>{{{result, to}, {other, to}}});
  }
  return {true, resolve(result).shape, 0, -1};
}

/// Names two operands that differ in dtype or device; `void` where none do.
template <class Name, class A>
constexpr auto operands_mistake() {
  return std::type_identity<void>{};
}
template <class Name, class A, class B, class... Rest>
constexpr auto operands_mistake() {
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!std::same_as<typename A::value_type, typename B::value_type>)
    return dtype_mistake<Name, A, B>();
  else return operands_mistake<Name, A, Rest...>();
}

/// Names the operand that does not fit the first.
template <class Name, class Rule, class... E>
constexpr auto joining_mistake() {
  constexpr Joining rule = Rule::joining;
  using A = typename TypeAt<0, E...>::type;
  using B = typename TypeAt<static_cast<std::size_t>(rule.operand), E...>::type;
  if constexpr (!rule.is_named)
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<Name>, spec_of_text<Rule>, spec_of<B>>>{};
  else return axes_differ<Name, A, rule.axis, B, rule.axis>();
}

template <class Rule, class... E>
using JoinedTensor = Tensor<typename TypeAt<0, E...>::type::value_type, spec_of<Rule>,
                            typename CommonDevice<typename E::device...>::type>;

struct ConcatName {
  static constexpr std::string_view name = "concat";
  static constexpr std::string_view form = "concat<\"t\">(a, b)";
};

/// The axis that `axes` names in the first operand that has it; it is that of all operands.
template <Axes axes, class... E>
struct ConcatRule {
  static constexpr AxisChoice choice = first_choice<axes, E...>();
  static constexpr bool one_axis = choice.result == AxisSearch::ok && choice.count == 1;
  static constexpr int axis = choice.axis();
  static constexpr Joining joining = join_rule(std::array<Shape const*, sizeof...(E)>{&E::shape...},
                                               axis, one_axis && !axes.by_index);
  static constexpr Shape shape = joining.shape;
  static constexpr FixedText text = axes.names;
};

template <Axes axes, class... E>
constexpr auto concat_type() {
  using Rule = ConcatRule<axes, E...>;
  using operands = typename decltype(operands_mistake<ConcatName, E...>())::type;
  if constexpr (!std::is_void_v<operands>) return std::type_identity<operands>{};
  else if constexpr (!Rule::one_axis)
    return std::type_identity<ChoiceMistake<ConcatName, axes, typename TypeAt<0, E...>::type>>{};
  else if constexpr (!Rule::joining.fits) return joining_mistake<ConcatName, Rule, E...>();
  else return std::type_identity<JoinedTensor<Rule, E...>>{};
}

/// The tensor that `concat<axes>` returns, or an undefined type that names the error.
template <Axes axes, Expression... X>
using Concat = typename decltype(concat_type<axes, StoredOperand<X>...>())::type;

/// The sizes of a joined value, and the offsets of its operands.
template <std::size_t N>
struct JoinPlaces {
  Sizes sizes{};
  std::array<ElementIndex, N> starts{};
};

/// Offsets of operands one after the other along an axis (-1: all at 0). Throws `ShapeError` where
/// other sizes differ.
template <std::size_t N>
constexpr JoinPlaces<N> places_along(std::string_view operation, Shape const& shape, int axis,
                                     std::array<Sizes, N> const& operands) {
  JoinPlaces<N> places{operands[0], {}};
  for (std::size_t k = 1; k < N; ++k) {
    for (int i = 0; i < shape.rank; ++i) {
      std::int64_t const size = at(operands[k], i), expected = at(places.sizes, i);
      if (i != axis && size != expected) sizes_differ(operation, shape, i, expected, size);
    }
    if (axis < 0) continue;
    at(places.starts[k], axis) = at(places.sizes, axis);
    at(places.sizes, axis) += at(operands[k], axis);
  }
  return places;
}

/// Concatenation of tensors of one dtype along an axis: "batch t=3" and "batch t=4" give "batch
/// t=7", "t=n" and "t=m" give "t=m+n", "t" and "t" give "t=_". The other axes agree. Throws
/// `ShapeError`. PyTorch: `cat`.
template <Axes axis, Expression... X>
  requires(sizeof...(X) > 0) && WellFormed<Concat<axis, X&&...>>
constexpr auto concat(X&&... x) -> Concat<axis, X&&...> {
  using Rule = ConcatRule<axis, StoredOperand<X&&>...>;
  auto const places = places_along<sizeof...(X)>("concat", Rule::shape, Rule::axis, {x.sizes()...});
  auto result = Concat<axis, X&&...>::uninitialised(places.sizes);
  return assembled(std::move(result), places.starts, 0, hold(std::forward<X>(x))...);
}
template <Axes axis, Expression... X, IllFormed R = Concat<axis, X&&...>>
  requires(sizeof...(X) > 0)
auto concat(X&&... x) -> R;
template <Axes axis>
struct ConcatCall : ConcatName, AllBut<axis> {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(concat<axis>(std::forward<X>(x)...)) {
    return concat<axis>(std::forward<X>(x)...);
  }
};
template <Axes axis, class... X>
  requires Dispatches<ConcatCall<axis>, X&&...>
auto concat(X&&... x) {
  return Dispatch<ConcatCall<axis>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axis, class... X, class R = Refused<ConcatCall<axis>, X...>>
auto concat(X const&...) -> R;
template <Expression X, class Name = ConcatName, class R = AxisForm<Name>>
auto concat(std::initializer_list<X>, NumberOrText = -1) -> R;
template <class Name = ConcatName, class R = AxisForm<Name>>
auto concat(AnyExpression, AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::concat;

}  // namespace tenon
