#pragma once

#include <utility>

#include <tenon/distributed/sharding/shard.hpp>
#include <tenon/tree/tree.hpp>

/// Learned leaves in trees of tensors and sharded tensors.
namespace tenon::internal {

/// A traversal of learned leaves in which a sharded tensor is one leaf.
struct LearnedShards {
  template <class T>
  static consteval bool learns() {
    if constexpr (is_shard<T>) return tree::Learned::visits<typename T::local_type>;
    else return tree::Learned::visits<T>;
  }
  template <class T>
  static constexpr bool visits = learns<T>();
  static constexpr bool opens_frozen = false;
};

/// The local shard of a leaf.
template <class Leaf>
auto& local_of(Leaf& leaf) {
  if constexpr (ShardType<Leaf>) return leaf.unchecked_local;
  else return leaf;
}
template <class Leaf>
using LocalOf = Unqualified<decltype(local_of(std::declval<Leaf&>()))>;

}  // namespace tenon::internal
