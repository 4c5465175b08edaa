#pragma once

#include <utility>

#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/distributed/sharding/elementwise.hpp>
#include <tenon/expr/reduction/norms.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/expr/view/rename.hpp>
#include <tenon/expr/view/views.hpp>

/// Row functions and views of sharded tensors. The axes along which they work may not be sharded.
namespace tenon::internal {

template <Axes axes>
struct SoftmaxCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(softmax<axes>(std::forward<X>(x))) {
    return softmax<axes>(std::forward<X>(x));
  }
};
template <Axes axes, AnyShard X, WellFormed R = ShardedResult<SoftmaxName, SoftmaxCall<axes>, X&&>>
auto softmax(X&& x) -> R {
  return over_shards<R>(SoftmaxCall<axes>(), std::forward<X>(x));
}
template <Axes axes, AnyShard X, IllFormed R = ShardedResult<SoftmaxName, SoftmaxCall<axes>, X&&>>
auto softmax(X&& x) -> R;

template <Axes axes>
struct LogSoftmaxCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(log_softmax<axes>(std::forward<X>(x))) {
    return log_softmax<axes>(std::forward<X>(x));
  }
};
template <Axes axes, AnyShard X,
          WellFormed R = ShardedResult<LogSoftmaxName, LogSoftmaxCall<axes>, X&&>>
auto log_softmax(X&& x) -> R {
  return over_shards<R>(LogSoftmaxCall<axes>(), std::forward<X>(x));
}
template <Axes axes, AnyShard X,
          IllFormed R = ShardedResult<LogSoftmaxName, LogSoftmaxCall<axes>, X&&>>
auto log_softmax(X&& x) -> R;

template <Axes axes>
struct LogSumExpCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(logsumexp<axes>(std::forward<X>(x))) {
    return logsumexp<axes>(std::forward<X>(x));
  }
};
template <Axes axes, AnyShard X,
          WellFormed R = ShardedResult<LogSumExpName, LogSumExpCall<axes>, X&&>>
auto logsumexp(X&& x) -> R {
  return over_shards<R>(LogSumExpCall<axes>(), std::forward<X>(x));
}
template <Axes axes, AnyShard X,
          IllFormed R = ShardedResult<LogSumExpName, LogSumExpCall<axes>, X&&>>
auto logsumexp(X&& x) -> R;

template <Axes axes>
struct TransposeCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(transpose<axes>(std::forward<X>(x))) {
    return transpose<axes>(std::forward<X>(x));
  }
};
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedResult<TransposeName, TransposeCall<axes>, X&&>>
auto transpose(X&& x) -> R {
  return over_shards<R>(TransposeCall<axes>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedResult<TransposeName, TransposeCall<axes>, X&&>>
auto transpose(X&& x) -> R;

template <Spec pairs>
struct RenameCall {
  template <class X>
  constexpr auto operator()(X&& x) const -> decltype(rename<pairs>(std::forward<X>(x))) {
    return rename<pairs>(std::forward<X>(x));
  }
};
template <Spec pairs, AnyShard X, WellFormed R = ShardedResult<RenameName, RenameCall<pairs>, X&&>>
auto rename(X&& x) -> R {
  return over_shards<R>(RenameCall<pairs>(), std::forward<X>(x));
}
template <Spec pairs, AnyShard X, IllFormed R = ShardedResult<RenameName, RenameCall<pairs>, X&&>>
auto rename(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::log_softmax;
using internal::logsumexp;
using internal::rename;
using internal::softmax;
using internal::transpose;

}  // namespace tenon
