#pragma once

#include <tenon/core/dtype.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/spec.hpp>
#include <tenon/core/text.hpp>

namespace tenon {

/// Types that are declared and never defined. A function that does not fit returns one of them, and
/// the compiler's first line then says what is wrong, in the user's own words.
namespace error {

/// The operation, the two axes, the two shapes.
template <Spec Operation, Spec Axis, Spec OtherAxis, Spec Shape, Spec OtherShape>
struct axes_do_not_fit;

/// Neither by name nor by position: each has a name that the other lacks, or the ranks differ.
template <Spec Operation, Spec Shape, Spec OtherShape>
struct shapes_do_not_align;

/// Mixing dtypes is a cast that has to be written: `to<float>(x)`.
template <Spec Operation, Spec Dtype, Spec OtherDtype>
struct dtypes_differ;

/// The operation has no meaning for this dtype.
template <Spec Operation, Spec Dtype>
struct dtype_is_not_supported;

/// Values of two devices do not meet: `to<Cuda>(x)` moves one.
template <Spec Operation, Spec Device, Spec OtherDevice>
struct devices_differ;

/// A floating literal beside an integer tensor.
template <Spec Operation, Spec Dtype>
struct floating_literal_on_integers;

template <Spec Operation, Spec Axis, Spec Shape>
struct axis_is_not_found;

template <Spec Operation, Spec Axis, Spec Shape>
struct name_is_ambiguous;

/// The pattern, the shapes it was meant for, and what is wrong with it.
template <Spec Operation, Spec Mistake, Spec Pattern, Spec... Shapes>
struct pattern_does_not_fit;

}  // namespace error

/// The value of a mistake is the mistake.
template <Mistake X>
auto eval(X const&) -> X;

/// A text as a template argument; `Carrier::text` is constexpr.
template <class Carrier>
inline constexpr auto spec_of_text = Spec<Carrier::text.view().size() + 1>(Carrier::text.view());

/// The name of an op, a dtype or a device as a template argument.
template <class Named>
inline constexpr auto spec_of_name = Spec<Named::name.size() + 1>(Named::name);

template <class T>
inline constexpr auto spec_of_dtype = Spec<dtype_name<T>.size() + 1>(dtype_name<T>);

/// One axis of a shape as its owner would write it; "" for no axis.
constexpr Text axis_text(Shape const& shape, int axis) {
  return axis < 0 ? Text() : Text(format(shape[axis]).view());
}

template <class Carrier, int I>
struct AxisText {
  static constexpr Text text = axis_text(Carrier::shape, I);
};

template <class Carrier, int I>
inline constexpr auto spec_of_axis = spec_of_text<AxisText<Carrier, I>>;

}  // namespace tenon
