#pragma once

#include <tenon/dist/over_shards.hpp>
#include <tenon/dist/sharded_map.hpp>
#include <tenon/expr/fold/normalise.hpp>
#include <tenon/expr/fold/norms.hpp>
#include <tenon/expr/move/moves.hpp>
#include <tenon/expr/move/rename.hpp>

/// Functions of rows and moves of sharded tensors. Along the axes they work on the tensor has to be
/// whole.
namespace tenon {

template <Axes axes>
struct SoftmaxCall {
  template <class X>
  constexpr auto operator()(X const& x) const -> decltype(softmax<axes>(x)) {
    return softmax<axes>(x);
  }
};
template <Axes axes, AnyShard X, Sound R = ShardedResult<SoftmaxName, SoftmaxCall<axes>, X>>
auto softmax(X const& x) -> R {
  return over_shards<R>(SoftmaxCall<axes>(), x);
}
template <Axes axes, AnyShard X, Mistaken R = ShardedResult<SoftmaxName, SoftmaxCall<axes>, X>>
auto softmax(X const& x) -> R;

template <Axes axes>
struct LogSoftmaxCall {
  template <class X>
  constexpr auto operator()(X const& x) const -> decltype(log_softmax<axes>(x)) {
    return log_softmax<axes>(x);
  }
};
template <Axes axes, AnyShard X, Sound R = ShardedResult<LogSoftmaxName, LogSoftmaxCall<axes>, X>>
auto log_softmax(X const& x) -> R {
  return over_shards<R>(LogSoftmaxCall<axes>(), x);
}
template <Axes axes, AnyShard X,
          Mistaken R = ShardedResult<LogSoftmaxName, LogSoftmaxCall<axes>, X>>
auto log_softmax(X const& x) -> R;

template <Axes axes>
struct LogSumExpCall {
  template <class X>
  constexpr auto operator()(X const& x) const -> decltype(logsumexp<axes>(x)) {
    return logsumexp<axes>(x);
  }
};
template <Axes axes, AnyShard X, Sound R = ShardedResult<LogSumExpName, LogSumExpCall<axes>, X>>
auto logsumexp(X const& x) -> R {
  return over_shards<R>(LogSumExpCall<axes>(), x);
}
template <Axes axes, AnyShard X, Mistaken R = ShardedResult<LogSumExpName, LogSumExpCall<axes>, X>>
auto logsumexp(X const& x) -> R;

template <Axes axes>
struct TransposeCall {
  template <class X>
  constexpr auto operator()(X const& x) const -> decltype(transpose<axes>(x)) {
    return transpose<axes>(x);
  }
};
template <Axes axes = every, AnyShard X,
          Sound R = ShardedResult<TransposeName, TransposeCall<axes>, X>>
auto transpose(X const& x) -> R {
  return over_shards<R>(TransposeCall<axes>(), x);
}
template <Axes axes = every, AnyShard X,
          Mistaken R = ShardedResult<TransposeName, TransposeCall<axes>, X>>
auto transpose(X const& x) -> R;

template <Spec pairs>
struct RenameCall {
  template <class X>
  constexpr auto operator()(X const& x) const -> decltype(rename<pairs>(x)) {
    return rename<pairs>(x);
  }
};
template <Spec pairs, AnyShard X, Sound R = ShardedResult<RenameName, RenameCall<pairs>, X>>
auto rename(X const& x) -> R {
  return over_shards<R>(RenameCall<pairs>(), x);
}
template <Spec pairs, AnyShard X, Mistaken R = ShardedResult<RenameName, RenameCall<pairs>, X>>
auto rename(X const& x) -> R;

}  // namespace tenon
