#pragma once

#include <utility>

#include <tenon/dist/over_shards.hpp>
#include <tenon/dist/sharded_map.hpp>

namespace tenon {

struct OnShardsName {
  static constexpr std::string_view name = "on_shards";
};

/// A function of tensors as one of sharded tensors.
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

/// A function made of maps, folds, moves and products, as one of sharded tensors: a layer norm, a
/// block of one's own. It is one kernel, as it is of tensors; what of it needs a whole axis does
/// not compile where that is divided. `f` is called with the parts; sizes it reads are theirs.
template <class F>
OnShards<F> on_shards(F f) {
  return {std::move(f)};
}

}  // namespace tenon
