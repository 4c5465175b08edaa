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
#include <tenon/expr/reduction/softmax.hpp>

/// Losses. Their arguments have equal shapes: nothing is broadcast. The result is the mean over all
/// positions, a scalar tensor; `mse<op::sum>(a, b)` is the sum, `op::none` keeps all elements.
namespace tenon::internal {

template <class R>
concept LossReduction =
    std::same_as<R, op::mean> || std::same_as<R, op::sum> || std::same_as<R, op::none>;

/// The losses of all positions, reduced by `R`.
template <LossReduction R, Expression X>
auto reduced_loss(X&& loss) {
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

struct CrossEntropyName {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr std::string_view form = "cross_entropy<\"digit\">(x, ids)";
};
struct SquaredErrorName {
  static constexpr std::string_view name = "mse";
};

/// The axes of logits without that of the classes: those of the labels.
template <Axes classes, class X>
struct LabelAxes {
  static constexpr Shape shape = removed(X::shape, Chosen<classes, X>::value.axis());
};

/// The error of labels that are no integers, or that have the axis of the classes.
template <Axes classes>
struct IdsOfLabels {
  static constexpr FixedText text = [] {
    FixedText result("argmax<");
    if (classes.by_index) return result.append("-1>(labels)");
    return result.append("\"").append(classes.names.view().substr(0, 14)).append("\">(labels)");
  }();
};
template <Axes classes, class L>
using LabelsAreIds =
    error::labels_are_ids<spec_of_name<CrossEntropyName>, spec_of_text<IdsOfLabels<classes>>,
                          spec_of_dtype<typename L::value_type>, spec_of<L>>;

/// `void`, or the error of logits and labels.
template <Axes classes, class X, class L>
constexpr auto cross_entropy_mistake() {
  using Name = CrossEntropyName;
  if constexpr (!DevicesMeet<X, L>) return device_mistake<Name, X, L>();
  else if constexpr (!FloatType<typename X::value_type>) return dtype_mistake<Name, X>();
  else if constexpr (!Chosen<classes, X>::ok || Chosen<classes, X>::value.count != 1)
    return std::type_identity<ChoiceMistake<Name, classes, X>>{};
  else if constexpr (!IntegerType<typename L::value_type> || assignable(X::shape, L::shape))
    return std::type_identity<LabelsAreIds<classes, L>>{};
  else if constexpr (!assignable(LabelAxes<classes, X>::shape, L::shape))
    return equal_shapes_mistake<Name, LabelAxes<classes, X>, X, L>();
  else return std::type_identity<void>{};
}
template <Axes classes, Expression X, Expression L>
using CrossEntropyMistake =
    typename decltype(cross_entropy_mistake<classes, Unqualified<X>, Unqualified<L>>())::type;

/// Cross-entropy, -log(softmax(logits)) at the label along the axis `classes`: logits "batch
/// digit=10" and integers "batch". Stable for large logits, and for logits with a large common
/// offset. Throws `IndexError` for a label out of range. PyTorch: `cross_entropy`.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L>
  requires std::is_void_v<CrossEntropyMistake<classes, X, L>>
auto cross_entropy(X const& logits, L const& labels) {
  using Labels = LabelAxes<classes, X>;
  constexpr int axis = Chosen<classes, X>::value.axis();
  TensorOf<X> const x = logits;
  TensorOf<L> const y = labels;
  Sizes expected = x.sizes();
  remove_axis(expected, axis, X::shape.rank, 1);
  check_equal_sizes(CrossEntropyName::name, spec_of<Labels>.view(), expected, y.sizes());
  auto above = log(sum<classes>(exp(x - shift_of<classes>(x, keep))));
  Picked<classes, X const&, L const&> picked(x, y, CrossEntropyName::name, "label");
  return reduced_loss<R>(std::move(above) - (std::move(picked) - shift_of<classes>(x)));
}
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L,
          class M = CrossEntropyMistake<classes, X, L>>
  requires(!std::is_void_v<M>)
auto cross_entropy(X const& logits, L const& labels) -> M;
template <Axes, LossReduction = op::mean, class... X>
auto cross_entropy(X const&...) -> FirstMistake<X...>;
template <class Name = CrossEntropyName, class R = AxisForm<Name>>
auto cross_entropy(AnyExpression, AnyExpression) -> R;

/// `void`, or the error of the two arguments of a squared error.
template <class A, class B>
constexpr auto squared_error_mistake() {
  using Name = SquaredErrorName;
  using T = typename A::value_type;
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!std::same_as<T, typename B::value_type>) return dtype_mistake<Name, A, B>();
  else if constexpr (!FloatType<T>) return dtype_mistake<Name, A>();
  else if constexpr (!assignable(A::shape, B::shape)) return equal_shapes_mistake<Name, A, A, B>();
  else return std::type_identity<void>{};
}
template <Expression A, Expression B>
using SquaredErrorMistake =
    typename decltype(squared_error_mistake<Unqualified<A>, Unqualified<B>>())::type;

/// The mean of (a - b)². PyTorch: `mse_loss`.
template <LossReduction R = op::mean, Expression A, Expression B>
  requires std::is_void_v<SquaredErrorMistake<A, B>>
auto mse(A const& a, B const& b) {
  check_equal_sizes(SquaredErrorName::name, spec_of<A>.view(), a.sizes(), b.sizes());
  return reduced_loss<R>(square(a - b));
}
template <LossReduction R = op::mean, Expression A, Expression B,
          class M = SquaredErrorMistake<A, B>>
  requires(!std::is_void_v<M>)
auto mse(A const& a, B const& b) -> M;
template <LossReduction = op::mean, class... X>
auto mse(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::internal

namespace tenon {

using internal::cross_entropy;
using internal::mse;

}  // namespace tenon

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
