#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <tenon/distributed/checkpoint/tensor_shards.hpp>
#include <tenon/distributed/zero/shards.hpp>

/// Checkpoints of `ZeroShards`: every rank saves its rows of each leaf under the name of the leaf,
/// so that any number of ranks can load them, and one rank the full tree.
namespace tenon::internal {

/// The boxes of `ZeroShards`: the local rows of learned leaves, and the rest unchanged.
template <class Tree>
struct TensorShardsOf<ZeroShards<Tree>> {
  template <class Node, class Take>
  static void visit(tree::Path const& path, Node& parts, Take const& take) {
    using Byte = ByteOf<Node>;
    std::map<void const*, std::size_t> passed;
    auto& division = own_division(parts);
    auto by = division.leaves.begin();
    auto const visit_leaf = [&]<class Leaf>(tree::Path const& at, Leaf& leaf) {
      if constexpr (LearnedShards::visits<Unqualified<Leaf>>) {
        if (by != division.leaves.end() && at.text() == path_of(path, by->name)) {
          auto& list = mpi::list_for<LocalOf<Leaf>>(parts);
          auto& part = list[passed[&list]++];
          return take_rows<Byte>(at, std::as_const(leaf), *by++, bytes_of<Byte>(part), take);
        }
      }
      for_each_tensor_shard(at, leaf, take);
    };
    tree::Walker<InTensorShards, decltype(visit_leaf) const>{visit_leaf}.walk(path,
                                                                              division.skeleton);
  }

 private:
  /// For loading: values that are not learned are stored per rank.
  template <class Node>
  static auto& own_division(Node& parts) {
    if constexpr (std::is_const_v<Node>) {
      return *parts.division;
    } else {
      auto own = std::make_shared<TreeDivision<Tree>>(*parts.division);
      parts.division = own;
      return *own;
    }
  }
  static std::string path_of(tree::Path const& root, std::string const& name) {
    std::string const before = root.text();
    return before.empty() || name.empty() ? before + name : before + "." + name;
  }

  /// (A scalar is a box of the one rank that holds it.)
  template <class Byte, class Leaf, class Take>
  static void take_rows(tree::Path const& path, Leaf const& leaf, RowDivision const& by,
                        std::span<Byte> bytes, Take const& take) {
    auto const whole = [&] {
      auto const name = safetensors::entry_name(path);
      if constexpr (ShardType<Leaf>) return tensor_shard_of<false>(name, leaf);
      else return unsharded_tensor_shard<false>(name, leaf);
    }();
    if constexpr (LocalOf<Leaf const>::rank > 0)
      take(rows_of<Byte>(whole, by.begin(), by.own_rows(), bytes));
    else if (by.own_rows() > 0)
      take(TensorShardOf<Byte>{whole.name, whole.dtype, whole.axes, whole.sizes, whole.begin,
                               whole.extent, bytes});
  }

  template <class Byte, class Part>
  static std::span<Byte> bytes_of(Part& part) {
    auto const size = static_cast<std::size_t>(part.size());
    if constexpr (std::is_const_v<Byte>) return std::as_bytes(std::span(part.data(), size));
    else return std::as_writable_bytes(std::span(part.own_memory(), size));
  }
};

}  // namespace tenon::internal
