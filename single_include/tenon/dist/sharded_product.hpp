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
#include <tenon/tenon.hpp>

/// Contractions of sharded tensors. If the summed axis is sharded, each rank has a partial sum, and
/// the result type is a `PartialShard`.
namespace tenon {

struct MatmulCall {
  template <class X, class Y>
  constexpr auto operator()(X&& x, Y&& y) const
      -> decltype(matmul(std::forward<X>(x), std::forward<Y>(y))) {
    return matmul(std::forward<X>(x), std::forward<Y>(y));
  }
};

template <AnyShard X, AnyShard Y, Sound R = ShardedResult<MatmulName, MatmulCall, X&&, Y&&>>
auto matmul(X&& x, Y&& y) -> R {
  return over_shards<R>(MatmulCall(), std::forward<X>(x), std::forward<Y>(y));
}
template <AnyShard X, AnyShard Y, Mistaken R = ShardedResult<MatmulName, MatmulCall, X&&, Y&&>>
auto matmul(X&& x, Y&& y) -> R;

template <Spec pattern>
struct EinsumCall {
  template <class X, class Y>
  constexpr auto operator()(X&& x, Y&& y) const
      -> decltype(einsum<pattern>(std::forward<X>(x), std::forward<Y>(y))) {
    return einsum<pattern>(std::forward<X>(x), std::forward<Y>(y));
  }
};

template <Spec pattern, AnyShard X, AnyShard Y,
          Sound R = ShardedResult<EinsumName, EinsumCall<pattern>, X&&, Y&&>>
auto einsum(X&& x, Y&& y) -> R {
  return over_shards<R>(EinsumCall<pattern>(), std::forward<X>(x), std::forward<Y>(y));
}
template <Spec pattern, AnyShard X, AnyShard Y,
          Mistaken R = ShardedResult<EinsumName, EinsumCall<pattern>, X&&, Y&&>>
auto einsum(X&& x, Y&& y) -> R;

}  // namespace tenon
