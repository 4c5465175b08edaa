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

#include <utility>

#include <tenon/dist/over_shards.hpp>

namespace tenon {

/// An elementwise op as a function object.
template <class Op>
struct MapCall {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(map<Op>(std::forward<X>(x)...)) {
    return map<Op>(std::forward<X>(x)...);
  }
};

/// All elementwise functions and operators of sharded tensors and numbers: `a + b`, `relu(x)`.
/// Matching axes are sharded alike.
template <class Op, class... X, Sound R = ShardedResult<Op, MapCall<Op>, X&&...>>
auto map(X&&... x) -> R {
  return over_shards<R>(MapCall<Op>(), std::forward<X>(x)...);
}
template <class Op, class... X, Mistaken R = ShardedResult<Op, MapCall<Op>, X&&...>>
auto map(X&&... x) -> R;

/// The error type for the first operand that is a plain tensor.
template <class Op, class First, class... Rest>
constexpr auto on_no_mesh() {
  if constexpr (Expression<First>)
    return std::type_identity<
        error::tensor_is_on_no_mesh<spec_of_name<Op>, spec_of<Unqualified<First>>>>{};
  else return on_no_mesh<Op, Rest...>();
}

template <class Op, class... X>
  requires(AnyShard<X> || ...) && (Expression<X> || ...)
using OnNoMesh = typename decltype(on_no_mesh<Op, X...>())::type;

template <class Op, class... X, class R = OnNoMesh<Op, X...>>
auto map(X&&... x) -> R;

}  // namespace tenon
