#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/axis.hpp>
#include <tenon/core/format.hpp>
#include <tenon/io/safetensors/dtype.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::safetensors {

/// A tensor in main memory, or a number: what a file can hold.
template <class Leaf>
inline constexpr bool is_storable = StorableType<Leaf>;
template <class T, Spec S, class D>
inline constexpr bool is_storable<Tensor<T, S, D>> = D::is_host && StorableType<T>;

template <class Tree>
constexpr void check_tree() {
  static_assert(!Expression<Tree> || is_tensor<Tree>,
                "tenon::safetensors: a recipe is not stored; evaluate it first, with eval");
  static_assert(tree::node_of<tree::Stored, Tree> != tree::Node::passed || Expression<Tree>,
                "tenon::safetensors: there is neither a tensor nor a number in this type");
}

template <class Leaf>
constexpr void check_storable() {
  static_assert(is_storable<Leaf>,
                "tenon::safetensors: a leaf is neither a tensor in main memory nor a number");
}

/// What stands for a leaf in a file: its dtype there and its axes. A number has none.
template <class Leaf>
struct Form {
  static constexpr StoredDtype const& dtype = stored_dtype<Leaf>();
  static Shape shape() { return Shape{}; }
  static std::vector<std::int64_t> sizes(Leaf const&) { return {}; }
  static std::size_t bytes(Leaf const&) { return sizeof(Leaf); }
  static void const* data(Leaf const& leaf) { return &leaf; }
};

/// The elements of a tensor; a complex128 has an axis of its two parts.
template <class T, Spec S, class D>
struct Form<Tensor<T, S, D>> {
  using Leaf = Tensor<T, S, D>;
  static constexpr StoredDtype const& dtype = stored_dtype<T>();
  static constexpr std::int64_t parts = sizeof(T) / sizeof(StoredAs<T>);
  static_assert(
      parts == 1 || Leaf::rank < max_rank,
      "tenon::safetensors: a complex128 of eight axes does not fit: its parts are a ninth");

  static Shape shape() {
    Shape result = Leaf::shape;
    if (parts > 1) result[result.rank++] = axis_of_size(parts);
    return result;
  }
  static std::vector<std::int64_t> sizes(Leaf const& leaf) {
    Sizes const now = leaf.sizes();
    std::vector<std::int64_t> result(now.begin(), now.begin() + Leaf::rank);
    if (parts > 1) result.push_back(parts);
    return result;
  }
  static std::size_t bytes(Leaf const& leaf) {
    return static_cast<std::size_t>(leaf.size()) * sizeof(T);
  }
  static void const* data(Leaf const& leaf) { return leaf.data(); }
};

/// The name of a leaf in a file: its path, `value` where the tree is but a leaf.
inline std::string entry_name(tree::Path const& path) {
  std::string const name = path.text();
  return name.empty() ? "value" : name;
}

/// The key under which the metadata hold the axes of an entry.
inline constexpr std::string_view spec_key = "tenon.spec.";

inline std::string quoted_spec(std::string_view dtype, std::string_view spec) {
  return std::string(dtype).append(" \"").append(spec).append("\"");
}

}  // namespace tenon::safetensors
