#pragma once

#include <utility>

#include <tenon/dist/shard.hpp>
#include <tenon/tree/tree.hpp>

/// What is learned in trees of tensors and sharded tensors.
namespace tenon {

/// A walk over what is learned that stops at sharded leaves as a whole.
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

/// What a rank holds of a leaf.
template <class Leaf>
auto& local_of(Leaf& leaf) {
  if constexpr (ShardType<Leaf>) return leaf.unchecked_local;
  else return leaf;
}
template <class Leaf>
using LocalOf = Unqualified<decltype(local_of(std::declval<Leaf&>()))>;

}  // namespace tenon
