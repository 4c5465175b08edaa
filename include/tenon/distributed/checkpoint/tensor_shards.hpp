#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/distributed/sharding/local_shard.hpp>
#include <tenon/distributed/sharding/shard.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal {

/// A box of a tensor held by this rank: the unit of checkpoints.
template <class Byte>
struct TensorShardOf {
  std::string name;                       ///< The path of the leaf: "blocks.0.up".
  safetensors::StoredDtype const* dtype;  ///< As stored in a file.
  Shape axes;                             ///< Of the global tensor, from its type.
  std::vector<std::int64_t> sizes;        ///< Of the global tensor.
  std::vector<std::int64_t> begin;        ///< The first index of the box along each axis,
  std::vector<std::int64_t> extent;       ///< and its sizes.
  std::span<Byte> bytes;                  ///< Its elements, row-major.
};

}  // namespace tenon::internal

namespace tenon {

/// The box of a tensor that a rank holds, for saving: read-only.
using TensorShard = internal::TensorShardOf<std::byte const>;
/// The box of a tensor that a rank holds, for loading: its elements are written.
using MutableTensorShard = internal::TensorShardOf<std::byte>;

}  // namespace tenon

namespace tenon::internal {

/// The checkpoint representation of a user-defined type. Specialise it for a type that holds shards
/// of tensors without being `Sharded`:
///
///     template <class Node, class Take>
///     static void visit(tree::Path const& path, Node& node, Take const& take);
///
/// calls `take(tensor_shard)` for every box: a `TensorShard` for a constant node, else a
/// `MutableTensorShard`. `for_each_tensor_shard(tree::Path{&path, "name"}, node.part, take)`
/// delegates to a part that is a tree.
template <class Node>
struct TensorShardsOf;

template <class Node>
concept HasTensorShards = requires { sizeof(TensorShardsOf<Unqualified<Node>>); };

/// A traversal of all stored leaves in which a sharded tensor is one leaf.
struct InTensorShards {
  template <class T>
  static constexpr bool visits = tree::Stored::visits<T> || AnyShard<T> || HasTensorShards<T>;
  static constexpr bool opens_frozen = true;
};

template <class Node>
using ByteOf = std::conditional_t<std::is_const_v<Node>, std::byte const, std::byte>;

/// The bytes of a host leaf; empty for one that has only sizes.
template <bool has_elements, class Leaf>
std::span<ByteOf<Leaf>> bytes_of_leaf(Leaf& leaf) {
  if constexpr (!has_elements) {
    return {};
  } else {
    void const* const data = safetensors::Form<Unqualified<Leaf>>::data(leaf);
    return {static_cast<ByteOf<Leaf>*>(const_cast<void*>(data)), safetensors::bytes_in_file(leaf)};
  }
}

/// A tensor, a number or a key that is replicated on the ranks that hold it.
template <bool has_elements = true, class Leaf>
TensorShardOf<ByteOf<Leaf>> unsharded_tensor_shard(std::string name, Leaf& leaf) {
  using L = Unqualified<Leaf>;
  safetensors::check_storable<L>();
  if constexpr (is_tensor<L>) {
    static_assert(L::device::is_host, "tenon::tensor_shards_of: move the tree to the host first");
    if constexpr (!std::is_const_v<Leaf>) (void)leaf.own_memory();  // copy-on-write: now unshared
  }
  auto const sizes = safetensors::sizes_in_file<L>(leaf);
  return {std::move(name),
          &safetensors::dtype_in_file<L>(),
          safetensors::shape_in_file<L>(),
          sizes,
          std::vector<std::int64_t>(sizes.size()),
          sizes,
          bytes_of_leaf<has_elements>(leaf)};
}

/// The local shard of a sharded tensor. Throws `ShapeError` if its sizes do not match.
template <bool has_elements = true, class X>
TensorShardOf<ByteOf<X>> tensor_shard_of(std::string name, X& x) {
  using S = Unqualified<X>;
  auto tensor_shard = unsharded_tensor_shard<has_elements>(std::move(name), x.unchecked_local);
  OwnBox const box = own_box<S::spec>(x.place);
  for (int i = 0; i < S::sharding.shape.rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (at(box.sizes, i) != tensor_shard.extent[axis])
      fail<ShapeError>({"Sharded", tensor_shard.name,
                        std::to_string(at(box.sizes, i)).append(" entries here"),
                        std::to_string(tensor_shard.extent[axis])});
    tensor_shard.axes[i] = S::sharding.shape[i];
    tensor_shard.sizes[axis] = at(x.sizes(), i);
    tensor_shard.begin[axis] = at(box.begin, i);
  }
  return tensor_shard;
}

/// Calls `take(tensor_shard)` for all boxes of a tree on this rank; the root is at `path`.
template <class Tree, class Take>
void for_each_tensor_shard(tree::Path const& path, Tree& tree, Take const& take) {
  auto const visit = [&]<class Node>(tree::Path const& at, Node& node) {
    static_assert(
        !PartialShardType<Node>,
        "tenon::tensor_shards_of: a value that is partial is not stored; reduce it first");
    if constexpr (HasTensorShards<Node>) TensorShardsOf<Unqualified<Node>>::visit(at, node, take);
    else if constexpr (ShardType<Node>) take(tensor_shard_of(safetensors::entry_name(at), node));
    else take(unsharded_tensor_shard(safetensors::entry_name(at), node));
  };
  tree::Walker<InTensorShards, decltype(visit)>{visit}.walk(path, tree);
}

/// The boxes of a tree on this rank: shards, replicated tensors, numbers and keys; absent layers
/// are skipped. They refer to the tree: `TensorShard` for a constant tree, `MutableTensorShard` for
/// loading.
template <class Tree>
std::vector<TensorShardOf<ByteOf<Tree>>> tensor_shards_of(Tree& tree) {
  std::vector<TensorShardOf<ByteOf<Tree>>> tensor_shards;
  for_each_tensor_shard(tree::Path{}, tree, [&](auto tensor_shard) {
    tensor_shards.push_back(std::move(tensor_shard));
  });
  return tensor_shards;
}

/// `count` rows of a box from `first` on, in separate memory: for a type that divides shards
/// further. Differing properties (name, dtype) are set afterwards.
template <class Byte, class Other>
TensorShardOf<Byte> rows_of(TensorShardOf<Other> const& tensor_shard, std::int64_t first,
                            std::int64_t count, std::span<Byte> bytes) {
  TensorShardOf<Byte> rows{tensor_shard.name,
                           tensor_shard.dtype,
                           tensor_shard.axes,
                           tensor_shard.sizes,
                           tensor_shard.begin,
                           tensor_shard.extent,
                           bytes};
  rows.begin[0] += first;
  rows.extent[0] = count;
  return rows;
}

}  // namespace tenon::internal

namespace tenon {

using internal::tensor_shards_of;
using internal::unsharded_tensor_shard;

}  // namespace tenon
