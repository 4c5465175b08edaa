#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/expr/checked.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/mean.hpp>

/// What losses have in common: the reduction of their values, and errors of their arguments.
namespace tenon::internal {

template <class R>
concept LossReduction =
    std::same_as<R, op::mean> || std::same_as<R, op::sum> || std::same_as<R, op::none>;

/// The losses of all positions, reduced by `R`.
template <LossReduction R, Expression X>
auto reduce_loss(X&& loss) {
  if constexpr (std::same_as<R, op::mean>) return eval(mean(std::forward<X>(loss)));
  else if constexpr (std::same_as<R, op::sum>) return eval(sum(std::forward<X>(loss)));
  else return eval(std::forward<X>(loss));
}

/// Names the first axis in which two shapes differ that should be equal; the error has the shapes
/// of `A` and `B`.
template <class Name, class Expected, class A, class B>
constexpr auto equal_shapes_mistake() {
  constexpr int axis = first_disagreement(Expected::shape, B::shape);
  if constexpr (axis < 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<A>, spec_of<B>>>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<Expected, axis>,
                               spec_of_axis<B, axis>, spec_of<A>, spec_of<B>>>{};
}

/// Checks run-time sizes for equality: throws `ShapeError`.
void check_equal_sizes(std::string_view loss, std::string_view spec, Sizes const& expected,
                       Sizes const& got);

template <class Name, Expression A, Expression... B>
void check_equal(A const& a, B const&... b) {
  (check_equal_sizes(Name::name, spec_of<A>.view(), a.sizes(), b.sizes()), ...);
}

/// `void`, or the error of arguments that are not floating tensors with one dtype and device, the
/// first of type `A` and the others of shape `Expected`.
template <class Name, class Expected, class A>
constexpr auto loss_mistake() {
  if constexpr (!FloatType<typename A::value_type>) return dtype_mistake<Name, A>();
  else return std::type_identity<void>{};
}
template <class Name, class Expected, class A, class B, class... C>
constexpr auto loss_mistake() {
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!std::same_as<typename A::value_type, typename B::value_type>)
    return dtype_mistake<Name, A, B>();
  else if constexpr (!FloatType<typename A::value_type>) return dtype_mistake<Name, A>();
  else if constexpr (!assignable(Expected::shape, B::shape))
    return equal_shapes_mistake<Name, Expected, A, B>();
  else return loss_mistake<Name, Expected, A, C...>();
}

/// The same; before, the error of one axis of `A`.
template <class Name, Axes axis, class A, class... B>
constexpr auto axis_loss_mistake() {
  using chosen = decltype(axes_mistake<Name, axis, 1, A>());
  if constexpr (!std::is_void_v<typename chosen::type>) return chosen{};
  else return loss_mistake<Name, A, A, B...>();
}

template <class Name, class... X>
struct FindLossMistake {
  template <class A, class... B>
  static constexpr auto find() {
    return loss_mistake<Name, A, A, B...>();
  }
  using type = typename decltype(find<Unqualified<X>...>())::type;
};
template <class Name, Axes axis, class... X>
struct FindAxisLossMistake {
  using type = typename decltype(axis_loss_mistake<Name, axis, Unqualified<X>...>())::type;
};

template <class Name, class... X>
concept LossFits =
    (Expression<X> && ...) && std::is_void_v<typename FindLossMistake<Name, X...>::type>;
template <class Name, Axes axis, class... X>
concept AxisLossFits =
    (Expression<X> && ...) && std::is_void_v<typename FindAxisLossMistake<Name, axis, X...>::type>;

template <class Error>
struct ErrorUnlessVoid {
  using type = Error;
};
template <>
struct ErrorUnlessVoid<void> {};

/// The error `Find::type` of expressions, or that of an argument that is none; no type where
/// arguments fit. `Name`: the function, where it is refused for operands that are dispatched.
template <class Name, class Find, class... X>
struct ErrorOfArguments {};
template <class Name, class Find, class... X>
  requires(Expression<X> && ...)
struct ErrorOfArguments<Name, Find, X...> : ErrorUnlessVoid<typename Find::type> {};
template <class Name, class Find, class... X>
  requires(is_no_expression<X> || ...)
struct ErrorOfArguments<Name, Find, X...> {
  using type = Refused<Name, X...>;
};

/// The return types of diagnostic overloads.
template <class Name, class... X>
using LossError = typename ErrorOfArguments<Name, FindLossMistake<Name, X...>, X...>::type;
template <class Name, Axes axis, class... X>
using AxisLossError =
    typename ErrorOfArguments<Name, FindAxisLossMistake<Name, axis, X...>, X...>::type;

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME void check_equal_sizes(std::string_view loss, std::string_view spec,
                                     Sizes const& expected, Sizes const& got) {
  for (int i = 0; i < max_rank; ++i) {
    if (at(expected, i) != at(got, i)) sizes_differ(loss, spec, i, at(expected, i), at(got, i));
  }
}

}  // namespace tenon::internal

#endif
