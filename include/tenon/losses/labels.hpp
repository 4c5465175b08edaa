#pragma once

#include <cstdint>

#include <tenon/expr/view/expand.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/losses/loss.hpp>

/// Labels of losses: integers without the axis of the classes; weights of classes.
namespace tenon::internal {

/// `void`, or the error of numbers that are no integers.
template <class Name, class X>
constexpr auto integers_mistake() {
  if constexpr (!IntegerType<typename X::value_type>) return dtype_mistake<Name, X>();
  else return std::type_identity<void>{};
}

/// The axes of logits without that of the classes: those of the labels.
template <Axes classes, class X>
struct LabelAxes {
  static constexpr Shape shape = removed(X::shape, Chosen<classes, X>::value.axis());
};

/// The axis of the classes: that of their weights.
template <Axes classes, class X>
struct ClassAxis {
  static constexpr Shape shape = inserted(Shape{}, 0, X::shape[Chosen<classes, X>::value.axis()]);
};

/// The axis of the classes without its name, and size 1 along the others.
template <Axes classes, class X>
struct AlongClasses {
  static constexpr int axis = Chosen<classes, X>::value.axis();
  static constexpr Shape shape = [] {
    Shape result = inserted(Shape{}, 0, axis_of_size(X::shape[axis].size));
    for (int i = 0; i < axis; ++i) result = inserted(result, 0, axis_of_size(1));
    for (int i = axis + 1; i < X::shape.rank; ++i) result = inserted(result, i, axis_of_size(1));
    return result;
  }();
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
template <class Name, Axes classes, class L>
using LabelsAreIds = error::labels_are_ids<spec_of_name<Name>, spec_of_text<IdsOfLabels<classes>>,
                                           spec_of_dtype<typename L::value_type>, spec_of<L>>;

/// `void`, or the error of scores of classes, labels and weights of the classes.
template <class Name, Axes classes, class X, class L, class... W>
constexpr auto labels_mistake() {
  if constexpr (!DevicesMeet<X, L>) return device_mistake<Name, X, L>();
  else if constexpr (!FloatType<typename X::value_type>) return dtype_mistake<Name, X>();
  else if constexpr (!Chosen<classes, X>::ok || Chosen<classes, X>::value.count != 1)
    return std::type_identity<ChoiceMistake<Name, classes, X>>{};
  else if constexpr (!IntegerType<typename L::value_type> || assignable(X::shape, L::shape))
    return std::type_identity<LabelsAreIds<Name, classes, L>>{};
  else
    return first_error(equal_shapes_mistake<Name, LabelAxes<classes, X>, X, L>(),
                       loss_mistake<Name, ClassAxis<classes, X>, X, W...>());
}
/// The rule of the function `Name` of scores, labels and weights.
template <class Name, Axes classes>
struct ClassLabels : Name {
  template <class... X>
  static constexpr auto mistake() {
    return labels_mistake<Name, classes, X...>();
  }
};

/// Compares the run-time sizes of labels with those of scores: throws `ShapeError`.
template <class Name, Axes classes, Expression X, Expression L>
void check_labels(X const& x, L const& labels) {
  Sizes expected = x.sizes();
  remove_axis(expected, Chosen<classes, X>::value.axis(), X::shape.rank, 1);
  check_equal_sizes(Name::name, spec_of<LabelAxes<classes, X>>.view(), expected, labels.sizes());
}

/// The weights of the classes, or 1, along their axis in `X`.
template <Axes classes, class X>
double weights_along() {
  return 1;
}
template <Axes classes, class X, Expression W>
auto weights_along(W const& weight) {
  return reshape<spec_of<AlongClasses<classes, X>>>(weight);
}

/// The weight of the class of each label.
template <class T, class Kept, class L>
auto weights_at(Kept const& kept, L const&) {
  return to<T>(kept);
}
template <class T, class Kept, class L, Expression W>
auto weights_at(Kept const& kept, L const& ids, W const& weight) {
  return where(kept, take<0>(weight, ids), 0);
}

}  // namespace tenon::internal
