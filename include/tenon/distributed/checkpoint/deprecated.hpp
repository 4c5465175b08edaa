#pragma once

#include <vector>

#include <tenon/distributed/checkpoint/tensor_shards.hpp>

/// Names of the previous release.
namespace tenon {

template <class Byte>
using PieceOf [[deprecated("use TensorShardOf")]] = internal::TensorShardOf<Byte>;
using Piece [[deprecated("use TensorShard")]] = TensorShard;
using MutablePiece [[deprecated("use MutableTensorShard")]] = MutableTensorShard;

}  // namespace tenon

namespace tenon::internal {

template <class Tree>
[[deprecated("use tensor_shards_of")]] std::vector<TensorShardOf<ByteOf<Tree>>> pieces_of(
    Tree& tree) {
  return tensor_shards_of(tree);
}

}  // namespace tenon::internal

namespace tenon {

using internal::pieces_of;

}  // namespace tenon
