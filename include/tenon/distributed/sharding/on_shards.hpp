#pragma once

#include <utility>

#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/distributed/sharding/elementwise.hpp>

namespace tenon::internal {

struct OnShardsName {
  static constexpr std::string_view name = "on_shards";
};

/// A function of tensors, applied to sharded tensors.
template <class F>
struct OnShards {
  F f;

  template <class... X, WellFormed R = ShardedResult<OnShardsName, F, X&&...>>
  auto operator()(X&&... x) const -> R {
    return over_shards<R>(f, std::forward<X>(x)...);
  }
  template <class... X, IllFormed R = ShardedResult<OnShardsName, F, X&&...>>
  auto operator()(X&&... x) const -> R;
};

/// Applies a function of elementwise ops, reductions, views and matmuls to sharded tensors, for
/// example a layer norm or a custom block. It is one kernel, as for tensors; operations along a
/// sharded axis do not compile. `f` is called with local shards; sizes it reads are local.
template <class F>
OnShards<F> on_shards(F f) {
  return {std::move(f)};
}

}  // namespace tenon::internal

namespace tenon {

using internal::on_shards;

}  // namespace tenon
