#pragma once

#include <utility>

#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/expr/contract/matmul.hpp>

/// Contractions of sharded tensors. If the summed axis is sharded, each rank has a partial sum, and
/// the result type is a `PartialShard`.
namespace tenon::internal {

struct MatmulCall {
  template <class X, class Y>
  constexpr auto operator()(X&& x, Y&& y) const
      -> decltype(matmul(std::forward<X>(x), std::forward<Y>(y))) {
    return matmul(std::forward<X>(x), std::forward<Y>(y));
  }
};

template <AnyShard X, AnyShard Y, WellFormed R = ShardedResult<MatmulName, MatmulCall, X&&, Y&&>>
auto matmul(X&& x, Y&& y) -> R {
  return over_shards<R>(MatmulCall(), std::forward<X>(x), std::forward<Y>(y));
}
template <AnyShard X, AnyShard Y, IllFormed R = ShardedResult<MatmulName, MatmulCall, X&&, Y&&>>
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
          WellFormed R = ShardedResult<EinsumName, EinsumCall<pattern>, X&&, Y&&>>
auto einsum(X&& x, Y&& y) -> R {
  return over_shards<R>(EinsumCall<pattern>(), std::forward<X>(x), std::forward<Y>(y));
}
template <Spec pattern, AnyShard X, AnyShard Y,
          IllFormed R = ShardedResult<EinsumName, EinsumCall<pattern>, X&&, Y&&>>
auto einsum(X&& x, Y&& y) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::einsum;
using internal::matmul;

}  // namespace tenon
