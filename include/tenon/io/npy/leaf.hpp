#pragma once

#include <tenon/io/npy/dtype.hpp>
#include <tenon/io/safetensors/leaf.hpp>

/// Tensors, numbers and keys in files of NumPy: a number is an array without axes, a key has two
/// words.
namespace tenon::internal::npy {

template <class Leaf>
inline constexpr bool is_storable = safetensors::is_storable<Leaf>;

template <class Leaf>
constexpr StoredDtype const& dtype_of() {
  using T = StoredAs<typename safetensors::Form<Leaf>::Element>;
  static_assert(dtype_named(dtype_name<T>) != nullptr,
                "tenon::npy: the dtype of a tensor has no type string of NumPy");
  return *dtype_named(dtype_name<T>);
}

template <class Tree>
constexpr void check_tree() {
  static_assert(!Expression<Tree> || is_tensor<Tree>,
                "tenon::npz: an expression is not stored; evaluate it first, with eval");
  if constexpr (!Expression<Tree>) {
    constexpr bool is_well_formed = tree::check_well_formed<tree::Stored, Tree>();
    static_assert(!is_well_formed || tree::node_of<tree::Stored, Tree> != tree::Node::passed,
                  "tenon::npz: there is neither a tensor nor a number in this type");
  }
}

template <class Leaf>
constexpr void check_storable() {
  static_assert(is_storable<Leaf>, "tenon::npz: a leaf is neither a tensor nor a number");
}

/// An array of a file is a leaf.
template <class X>
constexpr void check_array() {
  static_assert(!Expression<X> || is_tensor<X>,
                "tenon::npy: an expression is not stored; evaluate it first, with eval");
  static_assert(Expression<X> || is_storable<X>,
                "tenon::npy: expected a tensor or a number; npz files store structs");
}

}  // namespace tenon::internal::npy
