#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <type_traits>

#include <tenon/dist/pieces.hpp>
#include <tenon/dist/zero_parts.hpp>

/// Trees in parts in checkpoints: every rank has its rows of each leaf, under the name of the leaf,
/// so that any other number of ranks, and one rank with the whole tree, reads what these wrote.
namespace tenon {

/// The pieces of a tree in parts: those of what is learned. (The rest of the tree is no part of an
/// optimiser's state, and of parameters it is as it was before they were divided.)
template <class Tree>
struct PiecesOf<ZeroParts<Tree>> {
  template <class Node, class Take>
  static void visit(tree::Path const& path, Node& parts, Take const& take) {
    using Byte = ByteOf<Node>;
    std::map<void const*, std::size_t> passed;
    auto by = parts.division->leaves.begin();
    auto const visit_leaf = [&]<class Leaf>(tree::Path const& at, Leaf const& leaf) {
      auto& list = mpi::list_for<LocalOf<Leaf const>>(parts);
      auto& part = list[passed[&list]++];
      RowDivision const& rows = *by++;
      if (LocalOf<Leaf const>::rank > 0 || rows.own_rows() > 0)
        take(rows_of_leaf<Byte>(at, leaf, rows, bytes_of<Byte>(part)));
    };
    tree::Walker<LearnedShards, decltype(visit_leaf) const>{visit_leaf}.walk(
        path, parts.division->skeleton);
  }

 private:
  template <class Byte, class Leaf>
  static PieceOf<Byte> rows_of_leaf(tree::Path const& path, Leaf const& leaf, RowDivision const& by,
                                    std::span<Byte> bytes) {
    auto const name = safetensors::entry_name(path);
    auto const whole = [&] {
      if constexpr (ShardType<Leaf>) return shard_piece(name, leaf);
      else return whole_piece(name, leaf);
    }();
    if constexpr (LocalOf<Leaf const>::rank > 0)
      return rows_of<Byte>(whole, by.begin(), by.own_rows(), bytes);
    else
      return {whole.name, whole.dtype, whole.axes, whole.sizes, whole.begin, whole.extent, bytes};
  }
  template <class Byte, class Part>
  static std::span<Byte> bytes_of(Part& part) {
    if constexpr (std::is_const_v<Byte>)
      return std::as_bytes(std::span(part.data(), static_cast<std::size_t>(part.size())));
    else
      return std::as_writable_bytes(
          std::span(part.mutable_data(), static_cast<std::size_t>(part.size())));
  }
};

}  // namespace tenon
