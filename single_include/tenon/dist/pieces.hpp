// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

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
#include <tenon/tenon.hpp>

namespace tenon {

/// A box of a tensor that this rank holds: what checkpoints write and read.
template <class Byte>
struct PieceOf {
  std::string name;                       ///< The path of the leaf: "blocks.0.up".
  safetensors::StoredDtype const* dtype;  ///< As it stands in a file.
  Shape axes;                             ///< Of the whole, as its type knows them.
  std::vector<std::int64_t> sizes;        ///< Of the whole.
  std::vector<std::int64_t> begin;        ///< Where the box begins in it,
  std::vector<std::int64_t> extent;       ///< and how far it goes.
  std::span<Byte> bytes;                  ///< Its elements, row-major.
};
/// One to be written, and one to be read.
using Piece = PieceOf<std::byte const>;
using MutablePiece = PieceOf<std::byte>;

/// What a type of one's own has in a checkpoint. Specialise it for a type that holds parts of
/// tensors without being `Sharded`:
///
///     template <class Node, class Take>
///     static void visit(tree::Path const& path, Node& node, Take const& take);
///
/// calls `take(piece)` for every piece; of a constant node it is a `Piece`, else a `MutablePiece`.
/// `for_each_piece(tree::Path{&path, "name"}, node.part, take)` hands on to a part that is a tree.
template <class Node>
struct PiecesOf;

template <class Node>
concept HasPieces = requires { sizeof(PiecesOf<Unqualified<Node>>); };

/// A walk over all that is stored, which stops at tensors on a mesh.
struct InPieces {
  template <class T>
  static constexpr bool visits = tree::Stored::visits<T> || AnyShard<T> || HasPieces<T>;
  static constexpr bool opens_frozen = true;
};

template <class Node>
using ByteOf = std::conditional_t<std::is_const_v<Node>, std::byte const, std::byte>;

/// The bytes of a leaf that is on the host; none of one that stands for its sizes alone.
template <bool has_elements, class Leaf>
std::span<ByteOf<Leaf>> bytes_of_leaf(Leaf& leaf) {
  if constexpr (!has_elements) {
    return {};
  } else {
    void const* const data = safetensors::Form<Unqualified<Leaf>>::data(leaf);
    return {static_cast<ByteOf<Leaf>*>(const_cast<void*>(data)), safetensors::bytes_in_file(leaf)};
  }
}

/// A tensor, a number or a key that is the same on all ranks that have it.
template <bool has_elements = true, class Leaf>
PieceOf<ByteOf<Leaf>> whole_piece(std::string name, Leaf& leaf) {
  using L = Unqualified<Leaf>;
  safetensors::check_storable<L>();
  if constexpr (is_tensor<L>) {
    static_assert(L::device::is_host, "tenon::pieces_of: move the tree to the host first");
    if constexpr (!std::is_const_v<Leaf>) (void)leaf.own_memory();  // now it is not shared
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

/// The part that this rank has of a sharded tensor. Throws `ShapeError` where its sizes are others.
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

/// Calls `take(piece)` for all pieces of a tree that this rank has, whose root is at `path`.
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

/// What this rank holds of a tree: its sharded tensors, tensors that are the same on all ranks,
/// numbers and keys; layers that are absent here are left out. Pieces refer to the tree: `Piece`
/// where it is constant, `MutablePiece` where it may be read into.
template <class Tree>
std::vector<PieceOf<ByteOf<Tree>>> pieces_of(Tree& tree) {
  std::vector<PieceOf<ByteOf<Tree>>> pieces;
  for_each_piece(tree::Path{}, tree, [&](auto piece) { pieces.push_back(std::move(piece)); });
  return pieces;
}

/// `count` rows of a piece from `first` on, which are in memory of their own: for a type that
/// divides once more what a rank has. What differs from the piece (its name, its dtype) is set
/// afterwards.
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
