#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/train/data/batch_type.hpp>
#include <tenon/tree/well_formed.hpp>

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
