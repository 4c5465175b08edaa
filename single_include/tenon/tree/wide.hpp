// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

/// With this header structs have up to 256 fields; without it up to 32. (It takes compilers a tenth
/// of a second, so it is optional.)

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tenon/tenon.hpp>
#include <tenon/tree/wide/from_033.hpp>
#include <tenon/tree/wide/from_084.hpp>
#include <tenon/tree/wide/from_117.hpp>
#include <tenon/tree/wide/from_143.hpp>
#include <tenon/tree/wide/from_165.hpp>
#include <tenon/tree/wide/from_185.hpp>
#include <tenon/tree/wide/from_203.hpp>
#include <tenon/tree/wide/from_220.hpp>
#include <tenon/tree/wide/from_236.hpp>
#include <tenon/tree/wide/from_251.hpp>

namespace tenon::tree {

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

}  // namespace tenon::tree
