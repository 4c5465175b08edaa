#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/dist/own_part.hpp>
#include <tenon/dist/shard.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon {

/// A box of a tensor held by this rank: the unit of checkpoints.
template <class Byte>
struct PieceOf {
  std::string name;                       ///< The path of the leaf: "blocks.0.up".
  safetensors::StoredDtype const* dtype;  ///< As stored in a file.
  Shape axes;                             ///< Of the global tensor, from its type.
  std::vector<std::int64_t> sizes;        ///< Of the global tensor.
  std::vector<std::int64_t> begin;        ///< The first index of the box along each axis,
  std::vector<std::int64_t> extent;       ///< and its sizes.
  std::span<Byte> bytes;                  ///< Its elements, row-major.
};
/// Read-only for saving, and mutable for loading.
using Piece = PieceOf<std::byte const>;
using MutablePiece = PieceOf<std::byte>;

/// The checkpoint representation of a user-defined type. Specialise it for a type that holds shards
/// of tensors without being `Sharded`:
///
///     template <class Node, class Take>
///     static void visit(tree::Path const& path, Node& node, Take const& take);
///
/// calls `take(piece)` for every box: a `Piece` for a constant node, else a `MutablePiece`.
/// `for_each_piece(tree::Path{&path, "name"}, node.part, take)` delegates to a part that is a tree.
template <class Node>
struct PiecesOf;

template <class Node>
concept HasPieces = requires { sizeof(PiecesOf<Unqualified<Node>>); };

/// A traversal of all stored leaves in which a sharded tensor is one leaf.
struct InPieces {
  template <class T>
  static constexpr bool visits = tree::Stored::visits<T> || AnyShard<T> || HasPieces<T>;
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
PieceOf<ByteOf<Leaf>> whole_piece(std::string name, Leaf& leaf) {
  using L = Unqualified<Leaf>;
  safetensors::check_storable<L>();
  if constexpr (is_tensor<L>) {
    static_assert(L::device::is_host, "tenon::pieces_of: move the tree to the host first");
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
PieceOf<ByteOf<X>> shard_piece(std::string name, X& x) {
  using S = Unqualified<X>;
  auto piece = whole_piece<has_elements>(std::move(name), x.unchecked_local);
  OwnBox const box = own_box<S::spec>(x.place);
  for (int i = 0; i < S::sharding.shape.rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (at(box.sizes, i) != piece.extent[axis])
      fail<ShapeError>({"Sharded", piece.name,
                        std::to_string(at(box.sizes, i)).append(" entries here"),
                        std::to_string(piece.extent[axis])});
    piece.axes[i] = S::sharding.shape[i];
    piece.sizes[axis] = at(x.sizes(), i);
    piece.begin[axis] = at(box.begin, i);
  }
  return piece;
}

/// Calls `take(piece)` for all boxes of a tree on this rank; the root is at `path`.
template <class Tree, class Take>
void for_each_piece(tree::Path const& path, Tree& tree, Take const& take) {
  auto const visit = [&]<class Node>(tree::Path const& at, Node& node) {
    static_assert(!PartialShardType<Node>,
                  "tenon::pieces_of: a value that is partial is not stored; reduce it first");
    if constexpr (HasPieces<Node>) PiecesOf<Unqualified<Node>>::visit(at, node, take);
    else if constexpr (ShardType<Node>) take(shard_piece(safetensors::entry_name(at), node));
    else take(whole_piece(safetensors::entry_name(at), node));
  };
  tree::Walker<InPieces, decltype(visit)>{visit}.walk(path, tree);
}

/// The boxes of a tree on this rank: shards, replicated tensors, numbers and keys; absent layers
/// are skipped. They refer to the tree: `Piece` for a constant tree, `MutablePiece` for loading.
template <class Tree>
std::vector<PieceOf<ByteOf<Tree>>> pieces_of(Tree& tree) {
  std::vector<PieceOf<ByteOf<Tree>>> pieces;
  for_each_piece(tree::Path{}, tree, [&](auto piece) { pieces.push_back(std::move(piece)); });
  return pieces;
}

/// `count` rows of a box from `first` on, in separate memory: for a type that divides shards
/// further. Differing properties (name, dtype) are set afterwards.
template <class Byte, class Other>
PieceOf<Byte> rows_of(PieceOf<Other> const& piece, std::int64_t first, std::int64_t count,
                      std::span<Byte> bytes) {
  PieceOf<Byte> rows{piece.name,  piece.dtype,  piece.axes, piece.sizes,
                     piece.begin, piece.extent, bytes};
  rows.begin[0] += first;
  rows.extent[0] = count;
  return rows;
}

}  // namespace tenon
