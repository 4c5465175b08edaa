#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/tree/names.hpp>

/// Finds the field because of which an aggregate cannot be default-constructed. Only errors use it.
namespace tenon::internal::tree {

/// Initialises any field of a `T`, and is no `T`.
template <class T>
struct AnyInitialiser {
  template <class Field>
    requires(!std::same_as<Field, T>)
  operator Field() const;
};

template <class T, std::size_t... i>
constexpr bool takes_any(std::index_sequence<i...>) {
  return requires { T{(static_cast<void>(i), AnyInitialiser<T>())...}; };
}

/// The same with one more field, which has a default.
template <class T, std::size_t... i>
constexpr bool takes_one_more(std::index_sequence<i...>) {
  return requires { T{(static_cast<void>(i), AnyInitialiser<T>())..., {}}; };
}

/// The first number of initialised fields from `count` on that `T` accepts, or does not (`accepted`
/// is false); `few_fields + 1` where there is none.
template <class T, bool accepted, std::size_t count = 1>
consteval std::size_t first_count() {
  if constexpr (count > few_fields) return count;
  else if constexpr (takes_any<T>(std::make_index_sequence<count>()) == accepted) return count;
  else return first_count<T, accepted, count + 1>();
}

/// The last field without a default: its number and the number of fields.
template <class T>
struct Undefaulted {
  static constexpr std::size_t least = first_count<T, true>();
  static constexpr std::size_t fields = first_count<T, false, least>() - 1;
  /// False where a field accepts no such initialiser, as a `std::optional`: then fields are missed.
  static constexpr bool is_found = least <= few_fields && fields <= few_fields &&
                                   !takes_one_more<T>(std::make_index_sequence<fields>());
  static constexpr std::size_t index = least - 1;
};

template <class T>
using UndefaultedFields =
    decltype(bind_fields(std::declval<T&>(), FieldCount<Undefaulted<T>::fields>()));
template <class T>
using UndefaultedField =
    std::remove_reference_t<std::tuple_element_t<Undefaulted<T>::index, UndefaultedFields<T>>>;

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

template <class T>
consteval std::string_view undefaulted_name() {
  constexpr FieldCount<Undefaulted<T>::fields> count;
  return last_name(
      printed<Address{&std::get<Undefaulted<T>::index>(bind_fields(undefined<T>.value, count))}>());
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace tenon::internal::tree
