#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/io/onnx/leaf.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/save.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::onnx {

/// The elements of a leaf, which are kept in memory: those of a tensor on the host are shared with
/// it, those on a device are copied.
template <class Leaf>
Bytes bytes_of(Leaf const& leaf) {
  auto const owner = std::make_shared<Leaf const>(leaf);
  void const* const data = safetensors::Form<Leaf>::data(*owner);
  std::size_t const size = safetensors::bytes_in_file(*owner);
  constexpr auto bring = safetensors::bringer_of<Leaf>();
  if constexpr (bring == nullptr) {
    return {{static_cast<std::byte const*>(data), size}, owner};
  } else {
    auto const copy = std::make_shared<std::vector<std::byte>>(size);
    if (size > 0) bring(copy->data(), data, size);
    return {*copy, copy};
  }
}

/// A tensor, a number or a key as an initialiser, as `load` reads it.
template <class Leaf>
TensorData initializer_of(std::string name, Leaf const& leaf) {
  check_storable<Leaf>();
  Sizes const sizes = safetensors::Form<Leaf>::sizes(leaf);
  int const rank = safetensors::Form<Leaf>::shape().rank;
  std::vector<std::int64_t> dims(sizes.begin(), sizes.begin() + rank);
  return {std::move(name), dtype_of<Leaf>().code, std::move(dims), bytes_of(leaf)};
}

/// The leaves of a tree, by their paths.
template <class Tree>
std::vector<TensorData> initializers_of(Tree const& tree) {
  check_tree<Tree>();
  std::vector<TensorData> list;
  tree::for_each<tree::Stored>(
      [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) {
        list.push_back(initializer_of(safetensors::entry_name(path), leaf));
      },
      tree);
  return list;
}

}  // namespace tenon::internal::onnx
