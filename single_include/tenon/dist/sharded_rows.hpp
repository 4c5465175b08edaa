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
#include <tenon/tenon.hpp>

/// Row functions and views of sharded tensors. The axes along which they work may not be sharded.
namespace tenon {

template <Axes axes>
struct SoftmaxCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(softmax<axes>(std::forward<X>(x))) {
    return softmax<axes>(std::forward<X>(x));
  }
};
template <Axes axes, AnyShard X, Sound R = ShardedResult<SoftmaxName, SoftmaxCall<axes>, X&&>>
auto softmax(X&& x) -> R {
  return over_shards<R>(SoftmaxCall<axes>(), std::forward<X>(x));
}
template <Axes axes, AnyShard X, Mistaken R = ShardedResult<SoftmaxName, SoftmaxCall<axes>, X&&>>
auto softmax(X&& x) -> R;

template <Axes axes>
struct LogSoftmaxCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(log_softmax<axes>(std::forward<X>(x))) {
    return log_softmax<axes>(std::forward<X>(x));
  }
};
template <Axes axes, AnyShard X, Sound R = ShardedResult<LogSoftmaxName, LogSoftmaxCall<axes>, X&&>>
auto log_softmax(X&& x) -> R {
  return over_shards<R>(LogSoftmaxCall<axes>(), std::forward<X>(x));
}
template <Axes axes, AnyShard X,
          Mistaken R = ShardedResult<LogSoftmaxName, LogSoftmaxCall<axes>, X&&>>
auto log_softmax(X&& x) -> R;

template <Axes axes>
struct LogSumExpCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(logsumexp<axes>(std::forward<X>(x))) {
    return logsumexp<axes>(std::forward<X>(x));
  }
};
template <Axes axes, AnyShard X, Sound R = ShardedResult<LogSumExpName, LogSumExpCall<axes>, X&&>>
auto logsumexp(X&& x) -> R {
  return over_shards<R>(LogSumExpCall<axes>(), std::forward<X>(x));
}
template <Axes axes, AnyShard X,
          Mistaken R = ShardedResult<LogSumExpName, LogSumExpCall<axes>, X&&>>
auto logsumexp(X&& x) -> R;

template <Axes axes>
struct TransposeCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(transpose<axes>(std::forward<X>(x))) {
    return transpose<axes>(std::forward<X>(x));
  }
};
template <Axes axes = every, AnyShard X,
          Sound R = ShardedResult<TransposeName, TransposeCall<axes>, X&&>>
auto transpose(X&& x) -> R {
  return over_shards<R>(TransposeCall<axes>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          Mistaken R = ShardedResult<TransposeName, TransposeCall<axes>, X&&>>
auto transpose(X&& x) -> R;

template <Spec pairs>
struct RenameCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(rename<pairs>(std::forward<X>(x))) {
    return rename<pairs>(std::forward<X>(x));
  }
};
template <Spec pairs, AnyShard X, Sound R = ShardedResult<RenameName, RenameCall<pairs>, X&&>>
auto rename(X&& x) -> R {
  return over_shards<R>(RenameCall<pairs>(), std::forward<X>(x));
}
template <Spec pairs, AnyShard X, Mistaken R = ShardedResult<RenameName, RenameCall<pairs>, X&&>>
auto rename(X&& x) -> R;

}  // namespace tenon
