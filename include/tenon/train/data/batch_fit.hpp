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
#include <tenon/tree/well_formed.hpp>

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

/// Whether elements can be put into a type of batches that the caller names: field by field, by
/// their names.
namespace tenon::internal::training {

/// A struct, a pair or a tuple, part by part.
template <class T>
consteval bool is_record() {
  if constexpr (is_dtype<T> || Expression<T> || tree::is_array<T>) return false;
  else if constexpr (tree::is_tuple<T>) return true;
  else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>)
    return tree::fault_of_class<T>().empty();
  else return false;
}

template <class Record>
inline constexpr std::size_t parts_in = tree::part_count<tree::Parts<Record>>;
template <class Record, std::size_t i>
using PartIn = std::remove_cvref_t<tree::PartAt<i, tree::Parts<Record>>>;

/// The part of an element for a part of a batch: the field of the same name, or, if one of them is
/// a pair or a tuple, the one at the same place. `parts_in<Element>` where there is none.
template <class Batch, class Element, std::size_t i>
consteval std::size_t find_part_for() {
  if constexpr (tree::is_tuple<Batch> || tree::is_tuple<Element>) {
    return i;
  } else {
    return []<std::size_t... j>(std::index_sequence<j...>) {
      std::size_t found = sizeof...(j);
      (void)((tree::field_name<Element, j>.view() == tree::field_name<Batch, i>.view() &&
              (found = j, true)) ||
             ...);
      return found;
    }(tree::PartIndices<Element>());
  }
}
template <class Batch, class Element, std::size_t i>
inline constexpr std::size_t part_for = find_part_for<Batch, Element, i>();

template <class Batch, class Element, std::size_t i>
struct NoPart {
  using type =
      error::field_of_batch_is_none_of_element<tree::field_name<Batch, i>,
                                               tree::field_name<Element, i>, Batch, Element>;
};

template <class Batch, class Element, Spec reason, Spec field = "">
struct Unfit {
  using type = error::batch_does_not_fit_element<field, Batch, Element, reason>;
};
struct Fits {
  using type = void;
};

/// The path of a field of a field.
template <Spec outer, Spec inner>
struct FieldPath {
  static constexpr tree::PathText text = tree::PathText().below(outer.view()).below(inner.view());
};

/// The mistake of a field, as that of the struct it is in.
template <Spec name, class Found>
struct InField {
  using type = Found;
};
template <Spec name, class Batch, class Element, Spec reason, Spec field>
struct InField<name, Unfit<Batch, Element, reason, field>> {
  using type = Unfit<Batch, Element, reason, spec_of_text<FieldPath<name, field>>>;
};
template <Spec name, class Batch, class Element, Spec reason>
struct InField<name, Unfit<Batch, Element, reason, "">> {
  using type = Unfit<Batch, Element, reason, name>;
};

template <Spec axis, class Batch, class Element>
consteval auto tensor_fit() {
  using Found = typename FindBatch<axis, Element>::found;
  if constexpr (has_no_batch<Found>) return Found();
  else if constexpr (!is_tensor<typename Found::type>)
    return Unfit<Batch, Element, "the element is no tensor or number">();
  else if constexpr (!Assignable<Batch, typename Found::type>)
    return Unfit<Batch, Element, "has another dtype, or other axes">();
  else return Fits();
}

template <Spec axis, class Batch, class Element>
struct FindFit;

template <Spec axis, class Batch, class Element, std::size_t i = 0>
consteval auto fit_of_parts() {
  if constexpr (i == parts_in<Batch>) {
    return Fits();
  } else if constexpr (part_for<Batch, Element, i> == parts_in<Element>) {
    return NoPart<Batch, Element, i>();
  } else {
    using Part = PartIn<Element, part_for<Batch, Element, i>>;
    using Found = typename FindFit<axis, PartIn<Batch, i>, Part>::found;
    if constexpr (std::is_same_v<Found, Fits>) return fit_of_parts<axis, Batch, Element, i + 1>();
    else if constexpr (tree::is_tuple<Batch>) return Found();
    else return typename InField<tree::field_name<Batch, i>, Found>::type();
  }
}

template <Spec axis, class Batch, class Element>
consteval auto find_fit() {
  if constexpr (is_tensor<Batch>) return tensor_fit<axis, Batch, Element>();
  else if constexpr (std::is_same_v<BatchType<Batch>, typename FindBatch<axis, Element>::found>)
    return Fits();
  else if constexpr (!is_record<Batch>() || !is_record<Element>())
    return Unfit<Batch, Element, "one is a struct, the other is none">();
  else if constexpr (parts_in<Batch> != parts_in<Element>)
    return Unfit<Batch, Element, "has another number of fields">();
  else return fit_of_parts<axis, Batch, Element>();
}

template <Spec axis, class Batch, class Element>
struct FindFit {
  using found = decltype(find_fit<axis, Batch, Element>());
};

/// The error type for a batch type that does not fit the elements; `void` if it fits.
template <Spec axis, class Batch, class Element>
using BatchFault = typename FindFit<axis, Batch, Element>::found::type;

}  // namespace tenon::internal::training
