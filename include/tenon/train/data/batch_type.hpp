#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/rules/join.hpp>
#include <tenon/expr/stored_operand.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tree/node.hpp>

namespace tenon::compile_error {

/// The type of an element, or of a part of one, and the reason why there are no batches of it.
template <class Element, Spec reason>
struct element_has_no_batch;

/// The field that does not fit, `image.pixels` ("" where it is no field), its type, that of the
/// element for it, and the reason.
template <Spec Field, class Batch, class Element, Spec reason>
struct batch_does_not_fit_element;

/// A field of a struct of batches, the field at its place in the element, and both structs: no
/// field of the element has its name.
template <Spec Field, Spec FieldOfElement, class Batch, class Element>
struct field_of_batch_is_none_of_element;

}  // namespace tenon::compile_error

/// The type of a batch of elements: numbers and tensors get a new first axis.
namespace tenon::internal::training {

template <class T>
inline constexpr bool is_number_array = false;
template <class T, std::size_t size>
inline constexpr bool is_number_array<std::array<T, size>> = is_dtype<T>;

/// Of an element with these axes.
template <Spec axis, class Row>
struct BatchRule {
  static constexpr Parsed word = parse(axis.view());
  static constexpr bool one_axis = word.ok() && word.shape.rank == 1 && word.shape[0].is_named() &&
                                   word.shape[0].expression.empty();
  static constexpr bool fits = one_axis && Row::shape.rank < max_rank;
  static constexpr Shape shape = fits ? inserted(Row::shape, 0, word.shape[0]) : Shape{};
};

/// The axes of a number, and of an array of numbers.
struct NumberRow {
  static constexpr Shape shape{};
};
template <std::size_t size>
struct ArrayRow {
  static constexpr Shape shape = inserted(Shape{}, 0, axis_of_size(std::int64_t{size}));
};

template <class Element, Spec reason>
struct NoBatch {
  using type = error::element_has_no_batch<Element, reason>;
};
template <class T>
struct BatchType {
  using type = T;
};

template <class T>
inline constexpr bool has_no_batch = false;
template <class Element, Spec reason>
inline constexpr bool has_no_batch<NoBatch<Element, reason>> = true;

template <Spec axis, class Row, class T, class D, class Element>
consteval auto tensor_batch() {
  using Rule = BatchRule<axis, Row>;
  if constexpr (!Rule::one_axis) return NoBatch<Element, "the axis of a batch is one name">();
  else if constexpr (!Rule::fits) return NoBatch<Element, "has eight axes already">();
  else if constexpr (!D::is_host) return NoBatch<Element, "is on a device: move batches">();
  else return BatchType<Tensor<T, spec_of<Rule>, D>>();
}

template <class... Found>
struct FirstNoBatch;
template <class First, class... Rest>
struct FirstNoBatch<First, Rest...> {
  using type = typename std::conditional_t<has_no_batch<First>, std::type_identity<First>,
                                           FirstNoBatch<Rest...>>::type;
};

/// The tuple of the batches of all parts, or the first part that has none.
template <class... Found>
consteval auto tuple_batch() {
  if constexpr ((has_no_batch<Found> || ...)) return typename FirstNoBatch<Found...>::type();
  else return BatchType<std::tuple<typename Found::type...>>();
}

template <Spec axis, class Element>
struct FindBatch;

template <Spec axis, class... Part>
consteval auto batch_of_parts(std::type_identity<std::tuple<Part...>>) {
  return tuple_batch<typename FindBatch<axis, std::remove_cvref_t<Part>>::found...>();
}
template <Spec axis, class First, class Second>
consteval auto batch_of_parts(std::type_identity<std::pair<First, Second>>) {
  return batch_of_parts<axis>(std::type_identity<std::tuple<First, Second>>());
}

template <Spec axis, class T, std::size_t size>
consteval auto array_batch(std::type_identity<std::array<T, size>>) {
  using Found = typename FindBatch<axis, T>::found;
  if constexpr (has_no_batch<Found>) return Found();
  else return BatchType<std::array<typename Found::type, size>>();
}

template <Spec axis, class Element>
consteval auto find_batch() {
  std::type_identity<Element> const type;
  if constexpr (is_dtype<Element>) return tensor_batch<axis, NumberRow, Element, Cpu, Element>();
  else if constexpr (is_number_array<Element>)
    return tensor_batch<axis, ArrayRow<std::tuple_size_v<Element>>, typename Element::value_type,
                        Cpu, Element>();
  else if constexpr (Expression<Element>) {
    using Row = TensorOf<Element>;
    return tensor_batch<axis, Row, typename Row::value_type, typename Row::device, Element>();
  } else if constexpr (tree::is_array<Element>) return array_batch<axis>(type);
  else if constexpr (tree::is_tuple<Element>) return batch_of_parts<axis>(type);
  else if constexpr (std::is_aggregate_v<Element>)
    return NoBatch<Element, "a struct: name the type of batches">();
  else return NoBatch<Element, "is neither a number nor a tensor">();
}

template <Spec axis, class Element>
struct FindBatch {
  using found = decltype(find_batch<axis, Element>());
};

}  // namespace tenon::internal::training
