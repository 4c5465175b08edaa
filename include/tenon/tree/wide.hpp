#pragma once

#include <tenon/core/config.hpp>

/// With this header structs have up to 64 fields; without it up to 32. More are grouped in nested
/// structs.

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tenon/tree/aggregate.hpp>
#include <tenon/tree/wide_bindings.hpp>

namespace tenon::internal::tree {

/// Initialises a field of any type.
struct AnyField {
  template <class Field>
  operator Field() const;
};

/// Whether an aggregate accepts `sizeof...(i)` initialisers. (`{}` for each, as in `takes`, would
/// need a table. Where this counts wrong, a C array, the bindings do not compile.)
template <class T, std::size_t... i>
constexpr bool takes_many(std::index_sequence<i...>) {
  return requires { T{(void(i), AnyField())...}; };
}

/// The number of fields, between `low` and `high`, by bisection.
template <class T, std::size_t low, std::size_t high>
consteval std::size_t bisect_fields() {
  constexpr std::size_t middle = (low + high + 1) / 2;
  if constexpr (low == high) return low;
  else if constexpr (takes_many<T>(std::make_index_sequence<middle>()))
    return bisect_fields<T, middle, high>();
  else return bisect_fields<T, low, middle - 1>();
}

/// Found by `aggregate.hpp` if this header is included: the number of fields of an aggregate with
/// more than `few_fields`.
template <class T>
consteval std::size_t count_many_fields(std::type_identity<T>, FieldCount<few_fields + 1>) {
  return bisect_fields<T, few_fields + 1, many_fields + 1>();
}

}  // namespace tenon::internal::tree
