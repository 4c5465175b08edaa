#pragma once

#include <type_traits>

#include <tenon/core/dtype.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/language/text.hpp>
#include <tenon/core/shape.hpp>

/// Errors in nested calls: the inner call returns an undefined type that names the error, and the
/// outer call forwards that type, so that the compiler reports only the inner error. (g++ and clang
/// reject the inner call at once; but in a template, where nothing depends on a parameter, g++ 12
/// first looks for an outer function that accepts such a type.)
/// Types that are declared and never defined. A function whose arguments do not fit returns one of
/// them, so that the compiler's first line names the error with the user's specs.
namespace tenon::compile_error {

/// Marks all types of this namespace: argument-dependent lookup finds it for them alone.
void names_a_mistake(void const*);

/// The operation, the two axes, the two shapes.
template <Spec Operation, Spec Axis, Spec OtherAxis, Spec Shape, Spec OtherShape>
struct axes_do_not_fit;

/// Neither by name nor by position: each has a name that the other lacks, or the ranks differ.
template <Spec Operation, Spec Shape, Spec OtherShape>
struct shapes_do_not_align;

/// Mixing dtypes requires an explicit cast: `to<float>(x)`.
template <Spec Operation, Spec Dtype, Spec OtherDtype>
struct dtypes_differ;

/// The operation does not support this dtype.
template <Spec Operation, Spec Dtype>
struct dtype_is_not_supported;

/// `/` of integers: NumPy, PyTorch and JAX give floats, C++ truncates. The result is named by
/// `floor_divide(a, b)`, or by `to<float>(a) / to<float>(b)`.
template <Spec Operation, Spec Dtype>
struct integers_need_floor_divide_or_to_float;

/// Operands on two devices: `to<Cuda>(x)` transfers one.
template <Spec Operation, Spec Device, Spec OtherDevice>
struct devices_differ;

/// A floating literal beside an integer tensor.
template <Spec Operation, Spec Dtype>
struct floating_literal_on_integers;

template <Spec Operation, Spec Axis, Spec Shape>
struct axis_is_not_found;

template <Spec Operation, Spec Axis, Spec Shape>
struct name_is_ambiguous;

/// The pattern, the shapes of its operands, and the reason.
template <Spec Operation, Spec Mistake, Spec Pattern, Spec... Shapes>
struct pattern_does_not_fit;

/// The argument has no floating tensor that has a gradient, and the reason.
template <Spec Operation, Spec Reason, class Argument>
struct nothing_is_learned;

/// The function of an operation takes an argument by a reference through which it could change it:
/// write `X const&`.
template <Spec Operation, class X>
struct argument_needs_a_const_reference;

/// The function of an operation does not take these arguments.
template <Spec Operation, class... X>
struct function_does_not_take;

/// The operation, the spec, the number of its run-time sizes, and the number of sizes given.
template <Spec Operation, Spec Shape, int Expected, int Got>
struct wrong_number_of_sizes;

/// The operation, the shape, the number of axes it requires, and the number of axes it got.
template <Spec Operation, Spec Shape, int Expected, int Got>
struct wrong_number_of_axes;

/// The axis stands before the operands: the operation, and the form of its call.
template <Spec Operation, Spec Form>
struct axis_is_a_template_argument;

/// Several axes are one template argument: their names, with spaces between them.
template <Spec Operation, Spec Form>
struct axes_are_one_template_argument;

/// The pattern, or the spec of the result, stands before the operands.
template <Spec Operation, Spec Form>
struct pattern_is_a_template_argument;

/// The template argument is the type of the tensor, not its spec alone.
template <Spec Operation, Spec Form>
struct type_is_a_template_argument;

/// The sizes of the run-time axes are arguments of their own, not a list.
template <Spec Operation, Spec Form>
struct sizes_are_separate_arguments;

/// `v[1]` is a value: an element is assigned by `v(1) = y`.
template <Spec Form, Spec Shape>
struct elements_are_assigned_by_call;

/// `x[1]` is a value: a slice is replaced by `x = set<0>(x, 1, y)`.
template <Spec Form, Spec Shape>
struct slices_are_assigned_by_set;

/// Labels are integers, without the axis of the classes: the operation, what makes them from
/// one-hot labels, and the dtype and the axes of those given.
template <Spec Operation, Spec Form, Spec Dtype, Spec Shape>
struct labels_are_ids;

/// Random numbers depend on a key, the first argument.
template <Spec Operation, Spec Form>
struct key_is_missing;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// A text as a template argument; `Carrier::text` is constexpr.
template <class Carrier>
inline constexpr auto spec_of_text = Spec<Carrier::text.view().size() + 1>(Carrier::text.view());

/// The name of an op, a dtype or a device as a template argument.
template <class Name>
inline constexpr auto spec_of_name = Spec<Name::name.size() + 1>(Name::name);

/// A function's name as a type: `Named<"glu">`.
template <Spec S>
struct Named {
  static constexpr std::string_view name = S.view();
};

template <class T>
inline constexpr auto spec_of_dtype = Spec<dtype_name<T>.size() + 1>(dtype_name<T>);

/// The text of one axis of a shape; "" for no axis.
constexpr FixedText axis_text(Shape const& shape, int axis) {
  return axis < 0 ? FixedText() : FixedText(format(shape[axis]).view());
}

template <class Carrier, int I>
struct AxisText {
  static constexpr FixedText text = axis_text(Carrier::shape, I);
};

template <class Carrier, int I>
inline constexpr auto spec_of_axis = spec_of_text<AxisText<Carrier, I>>;

/// The error of a tensor that has not that number of axes; `void` where it has.
template <class Name, class E, int expected>
constexpr auto rank_mistake() {
  if constexpr (E::shape.rank == expected) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<E>, expected, E::shape.rank>>{};
}

/// The error of two axes that do not fit; where one is -1, of two shapes.
template <class Name, class A, int a, class B, int b>
constexpr auto axes_differ() {
  if constexpr (a < 0 || b < 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<A>, spec_of<B>>>{};
  else
    return std::type_identity<error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<A, a>,
                                                     spec_of_axis<B, b>, spec_of<A>, spec_of<B>>>{};
}
template <class Name, class A, class B>
constexpr auto shapes_differ() {
  return axes_differ<Name, A, -1, B, -1>();
}

/// The first of these types that is not `void`, or `void`: the first error that was found.
template <class First, class... Rest>
constexpr auto first_error(First first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0 || !std::is_void_v<typename First::type>) return first;
  else return first_error(rest...);
}

/// One of the types that are declared in `compile_error` and never defined.
template <class X>
concept Mistake = std::is_class_v<std::remove_reference_t<X>> && !requires {
  typename std::remove_reference_t<X>::value_type;
} && requires(std::remove_reference_t<X> const* x) { names_a_mistake(x); };

template <class X, class... Rest>
constexpr auto first_mistake() {
  if constexpr (Mistake<X>) return std::type_identity<std::remove_cvref_t<X>>{};
  else return first_mistake<Rest...>();
}

/// The return type of a function if an argument is an error type; each function has one declaration
/// that returns it.
template <class... X>
  requires(Mistake<X> || ...)
using FirstMistake = typename decltype(first_mistake<X...>())::type;

}  // namespace tenon::internal

namespace tenon {

using internal::FirstMistake;

}  // namespace tenon
