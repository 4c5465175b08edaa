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
#include <tenon/dist/sharded_map.hpp>

namespace tenon {

struct OnShardsName {
  static constexpr std::string_view name = "on_shards";
};

/// A function of tensors, applied to sharded tensors.
template <class F>
struct OnShards {
  F f;

  template <class... X, Sound R = ShardedResult<OnShardsName, F, X&&...>>
  auto operator()(X&&... x) const -> R {
    return over_shards<R>(f, std::forward<X>(x)...);
  }
  template <class... X, Mistaken R = ShardedResult<OnShardsName, F, X&&...>>
  auto operator()(X&&... x) const -> R;
};

/// Applies a function of elementwise ops, reductions, views and matmuls to sharded tensors, for
/// example a layer norm or a custom block. It is one kernel, as for tensors; operations along a
/// sharded axis do not compile. `f` is called with local shards; sizes it reads are local.
template <class F>
OnShards<F> on_shards(F f) {
  return {std::move(f)};
}

}  // namespace tenon
