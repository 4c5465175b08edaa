#pragma once

#include <tenon/dist/over_shards.hpp>
#include <tenon/expr/contract/matmul.hpp>

/// Products of sharded tensors. Where the axis that is summed is divided, each rank has a part of
/// the sum, and the result's type says so.
namespace tenon {

struct MatmulCall {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y) const -> decltype(matmul(x, y)) {
    return matmul(x, y);
  }
};

template <AnyShard X, AnyShard Y, Sound R = ShardedResult<MatmulName, MatmulCall, X, Y>>
auto matmul(X const& x, Y const& y) -> R {
  return over_shards<R>(MatmulCall(), x, y);
}
template <AnyShard X, AnyShard Y, Mistaken R = ShardedResult<MatmulName, MatmulCall, X, Y>>
auto matmul(X const& x, Y const& y) -> R;

template <Spec pattern>
struct EinsumCall {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y) const -> decltype(einsum<pattern>(x, y)) {
    return einsum<pattern>(x, y);
  }
};

template <Spec pattern, AnyShard X, AnyShard Y,
          Sound R = ShardedResult<EinsumName, EinsumCall<pattern>, X, Y>>
auto einsum(X const& x, Y const& y) -> R {
  return over_shards<R>(EinsumCall<pattern>(), x, y);
}
template <Spec pattern, AnyShard X, AnyShard Y,
          Mistaken R = ShardedResult<EinsumName, EinsumCall<pattern>, X, Y>>
auto einsum(X const& x, Y const& y) -> R;

}  // namespace tenon
