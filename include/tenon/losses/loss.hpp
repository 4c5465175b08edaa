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
#include <tenon/expr/rule.hpp>

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
  if constexpr (assignable(Expected::shape, B::shape)) return std::type_identity<void>{};
  else if constexpr (axis < 0) return shapes_differ<Name, A, B>();
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
  else
    return first_error(equal_shapes_mistake<Name, Expected, A, B>(),
                       loss_mistake<Name, Expected, A, C...>());
}

/// Arguments of equal shapes, which have an axis: the rule of a loss.
template <Spec text, Axes axis>
struct EqualAlong : Named<text> {
  template <class A, class... B>
  static constexpr auto mistake() {
    return first_error(axes_mistake<Named<text>, axis, 1, A>(),
                       loss_mistake<Named<text>, A, A, B...>());
  }
};

/// Arguments of equal shapes: the rule of a loss by its name alone.
template <class Name>
struct EqualRule : Name {
  template <class A, class... B>
  static constexpr auto mistake() {
    return loss_mistake<Name, A, A, B...>();
  }
};
template <class Name, class... X>
concept LossFits = RuleFits<EqualRule<Name>, X...>;
template <class Name, class... X>
using LossError = RuleError<EqualRule<Name>, X...>;

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
