#pragma once

#include <type_traits>

#include <tenon/core/dtype.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/language/text.hpp>
#include <tenon/core/spec.hpp>

/// A mistake inside another call: what the inner call returns is an undefined type that names the
/// mistake, and the outer call hands that type on, so that the compiler speaks of the inner one.
/// (g++ and clang refuse the inner call at once; but in a template, where nothing depends on a
/// parameter, g++ 12 first looks for an outer function that takes such a type.)
namespace tenon {

/// Types that are declared and never defined. A function that does not fit returns one of them, and
/// the compiler's first line then says what is wrong, in the user's own words.
namespace error {

/// Marks all types of this namespace: argument-dependent lookup finds it for them alone.
void names_a_mistake(void const*);

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

/// A text as a template argument; `Carrier::text` is constexpr.
template <class Carrier>
inline constexpr auto spec_of_text = Spec<Carrier::text.view().size() + 1>(Carrier::text.view());

/// The name of an op, a dtype or a device as a template argument.
template <class Named>
inline constexpr auto spec_of_name = Spec<Named::name.size() + 1>(Named::name);

template <class T>
inline constexpr auto spec_of_dtype = Spec<dtype_name<T>.size() + 1>(dtype_name<T>);

/// One axis of a shape as its owner would write it; "" for no axis.
constexpr FixedText axis_text(Shape const& shape, int axis) {
  return axis < 0 ? FixedText() : FixedText(format(shape[axis]).view());
}

template <class Carrier, int I>
struct AxisText {
  static constexpr FixedText text = axis_text(Carrier::shape, I);
};

template <class Carrier, int I>
inline constexpr auto spec_of_axis = spec_of_text<AxisText<Carrier, I>>;

/// One of the types that are declared in `error` and never defined.
template <class X>
concept Mistake = std::is_class_v<std::remove_reference_t<X>> && !requires {
  typename std::remove_reference_t<X>::value_type;
} && requires(std::remove_reference_t<X> const* x) { names_a_mistake(x); };

template <class X, class... Rest>
constexpr auto first_mistake() {
  if constexpr (Mistake<X>) return std::type_identity<std::remove_cvref_t<X>>{};
  else return first_mistake<Rest...>();
}

/// What a function returns whose arguments are mistaken; next to each function stands one
/// declaration that says so.
template <class... X>
  requires(Mistake<X> || ...)
using FirstMistake = typename decltype(first_mistake<X...>())::type;

}  // namespace tenon
