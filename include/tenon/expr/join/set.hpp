#pragma once

#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/tensor/unfit.hpp>

namespace tenon::internal {

struct SetName {
  static constexpr std::string_view name = "set";
  static constexpr std::string_view form = "set<\"t\">(x, i, value)";
};

/// The positions that `set` accepts: an integer for one slice, or a tensor for several.
template <class I>
concept SetPosition = (std::integral<I> && !std::same_as<I, bool>) || Expression<I>;

/// The axes of the replacement: those of `E`, where the axes of the positions replace the axis.
template <class E, class I, int axis>
struct ReplacementRule {
  static constexpr Shape shape = removed(E::shape, axis);
};
template <class E, ExpressionType I, int axis>
struct ReplacementRule<E, I, axis> {
  static constexpr Shape shape = Gather<TensorOf<E>, TensorOf<I>, axis>::shape;
};

template <class I>
inline constexpr bool is_position = true;
template <ExpressionType I>
inline constexpr bool is_position<I> = IntegerType<typename I::value_type>;

/// Names the reason why `V` cannot replace slices of `E`; `void` where it can.
template <class E, class I, class V, int axis>
constexpr auto replacement_mistake() {
  using Rule = ReplacementRule<E, I, axis>;
  if constexpr (!ExpressionType<V>) return std::type_identity<void>{};
  else if constexpr (!DevicesMeet<E, V>) return device_mistake<SetName, E, V>();
  else if constexpr (!std::same_as<typename E::value_type, typename V::value_type>)
    return dtype_mistake<SetName, E, V>();
  else if constexpr (!assignable(Rule::shape, V::shape))
    return assignment_mistake<SetName, Rule, V>();
  else return std::type_identity<void>{};
}

template <Axes axes, class E, class I, class V>
constexpr auto set_type() {
  using axis = typename decltype(axes_mistake<SetName, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<axis>) return std::type_identity<axis>{};
  else if constexpr (!is_position<I>) return dtype_mistake<SetName, I>();
  else {
    using mistake =
        typename decltype(replacement_mistake<E, I, V, Chosen<axes, E>::value.axis()>())::type;
    return std::type_identity<std::conditional_t<std::is_void_v<mistake>, TensorOf<E>, mistake>>{};
  }
}

template <class V>
concept SetValue = Expression<V> || LiteralNumber<V>;

/// The tensor that `set` returns, or an undefined type that names the error.
template <Axes axes, Expression X, SetPosition I, SetValue V>
using SetIn =
    typename decltype(set_type<axes, Unqualified<X>, Unqualified<I>, Unqualified<V>>())::type;

/// Checks the sizes of a replacement: those of `x`, where those of the positions replace the axis.
/// Throws `ShapeError`.
template <class Rule, class E, class I, class V>
constexpr void check_replacement(E const& x, I const& positions, V const& value, int axis) {
  Sizes const from = x.sizes(), got = value.sizes();
  Sizes chosen = unit_sizes();
  int chosen_rank = 0;
  if constexpr (ExpressionType<I>) chosen = positions.sizes(), chosen_rank = I::shape.rank;
  for (int i = 0; i < Rule::shape.rank; ++i) {
    std::int64_t const expected = i < axis                 ? at(from, i)
                                  : i < axis + chosen_rank ? at(chosen, i - axis)
                                                           : at(from, i - chosen_rank + 1);
    if (at(got, i) != expected) sizes_differ("set", Rule::shape, i, expected, at(got, i));
  }
}

/// A tensor of one position, or the positions unchanged.
template <class D, class I>
constexpr auto positions_of(I const& i) {
  if constexpr (ExpressionType<I>) return evaluate_expression(i);
  else return Tensor<std::int64_t, "", D>(static_cast<std::int64_t>(i));
}

/// `x` with the slices at `i` along an axis replaced by `value`: at an integer by a slice without
/// the axis, at a tensor of integers by slices with its axes instead; of equal positions the last
/// one wins. A number replaces every element. Unshared memory is changed in place. Throws
/// `IndexError`, `ShapeError`, `ValueError` for a number outside the range of an integer dtype.
/// PyTorch: `x[:, i] = value`, `index_copy`. JAX: `x.at[i].set(value)`.
template <Axes axis, Expression X, SetPosition I, SetValue V, WellFormed R = SetIn<axis, X, I, V>>
constexpr auto set(X&& x, I const& i, V&& value) -> R {
  using E = Unqualified<X>;
  constexpr int along = Chosen<axis, E>::value.axis();
  auto const positions = positions_of<typename E::device>(i);
  check_ids("set", positions, at(x.sizes(), along));
  if constexpr (Expression<V>) {
    check_replacement<ReplacementRule<E, I, along>>(x, i, value, along);
    return replaced_slices(TensorOf<X>(hold(std::forward<X>(x))), along, positions,
                           evaluate_expression(hold(std::forward<V>(value))));
  } else {
    return replaced_slices(
        TensorOf<X>(hold(std::forward<X>(x))), along, positions,
        keep_operand<ConstantNode<typename E::value_type>>(SetName::name, value));
  }
}
template <Axes axis, Expression X, SetPosition I, SetValue V, IllFormed R = SetIn<axis, X, I, V>>
auto set(X&& x, I const& i, V&& value) -> R;
template <Axes, class... X, class R = Refused<SetName, X...>>
auto set(X const&...) -> R;
template <class Name = SetName, class R = AxisForm<Name>>
auto set(AnyExpression, NumberOrText, AnyExpression) -> R;
template <class Name = SetName, class R = AxisForm<Name>>
auto set(AnyExpression, NumberOrText, NumberOrText) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::set;

}  // namespace tenon
