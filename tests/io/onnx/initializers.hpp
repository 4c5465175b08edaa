#pragma once

// The leaves of a tree as initialisers of a model.

#include <tenon/io/onnx.hpp>

#include <string>
#include <utility>
#include <vector>

/// A tensor, a number or a key as an initialiser, as `load` reads it.
template <class Leaf>
tenon::internal::onnx::TensorData initializer_of(std::string name, Leaf const& leaf) {
  using namespace tenon::internal;
  return {std::move(name), onnx::dtype_of<Leaf>().code, safetensors::sizes_of_leaf(leaf),
          onnx::bytes_of(leaf)};
}

/// The leaves of a tree, by their paths.
template <class Tree>
std::vector<tenon::internal::onnx::TensorData> initializers_of(Tree const& tree) {
  std::vector<tenon::internal::onnx::TensorData> list;
  tenon::tree::for_each<tenon::internal::tree::Stored>(
      [&]<class Leaf>(tenon::internal::tree::Path const& path, Leaf const& leaf) {
        list.push_back(initializer_of(tenon::internal::safetensors::entry_name(path), leaf));
      },
      tree);
  return list;
}
