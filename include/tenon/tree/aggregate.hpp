#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/tree/bindings.hpp>
#include <tenon/tree/initialisers.hpp>

namespace tenon::tree {

/// Becomes any base class of `T`, and nothing else.
template <class T>
struct BaseOf {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;
};
struct Nothing {};

/// The first element of an aggregate with base classes is a base. (`Nothing` tells a base from a
/// first field that takes whatever there is, as `std::any` does.)
template <class T>
inline constexpr bool has_base_class = requires { T{BaseOf<T>{}}; } && !requires { T{Nothing{}}; };

template <class T, std::size_t count = 0>
consteval std::size_t count_fields() {
  if constexpr (count > most_fields) {
    return count;
  } else if constexpr (takes<T>(FieldCount<count + 1>())) {
    return count_fields<T, count + 1>();
  } else {
    return count;
  }
}

/// The number of fields of an aggregate; `most_fields` + 1 where there are more.
template <class T>
inline constexpr std::size_t field_count = count_fields<T>();

/// References to the fields of an aggregate, in order: `std::tuple<Field&...>`, constant where the
/// object is. Refused in words of their own: base classes, fields that cannot be
/// default-constructed (references among them), more than 32 fields. Constant fields are fields.
template <class T>
constexpr auto fields(T& object) {
  using Struct = std::remove_const_t<T>;
  static_assert(takes<Struct>(FieldCount<0>()),
                "tenon::tree: a field cannot be default-constructed (is it a reference?)");
  static_assert(field_count<Struct> <= most_fields,
                "tenon::tree: a struct has more than 32 fields; group some in a struct");
  static_assert(!has_base_class<Struct>, "tenon::tree: a struct has a base class; make it a field");
  if constexpr (takes<Struct>(FieldCount<0>()) && field_count<Struct> <= most_fields &&
                !has_base_class<Struct>) {
    return bind_fields(object, FieldCount<field_count<Struct>>());
  } else {
    return std::tuple<>();
  }
}

}  // namespace tenon::tree
