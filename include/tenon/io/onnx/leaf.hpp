#pragma once

#include <complex>
#include <type_traits>

#include <tenon/io/onnx/dtype.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/tree/tree.hpp>

/// Tensors, numbers and keys as initialisers: a number is a tensor without axes, a key has two
/// words.
namespace tenon::internal::onnx {

/// The dtype in a file for a C++ type, as in safetensors; but ONNX has a complex128.
template <class T>
using StoredAs =
    std::conditional_t<std::is_same_v<T, std::complex<double>>, T, safetensors::StoredAs<T>>;

template <class Leaf>
constexpr FileDtype const& dtype_of() {
  using T = StoredAs<typename safetensors::Form<Leaf>::Element>;
  constexpr DataType code = data_type_for(dtype_name<T>);
  static_assert(code != DataType::undefined,
                "tenon::onnx: the dtype of a tensor has no code in ONNX");
  return *file_dtype_of(code);
}

template <class Tree>
constexpr void check_tree() {
  static_assert(!Expression<Tree> || is_tensor<Tree>,
                "tenon::onnx: an expression is not stored; evaluate it first, with eval");
  if constexpr (!Expression<Tree>) {
    constexpr bool is_well_formed = tree::check_well_formed<tree::Stored, Tree>();
    static_assert(!is_well_formed || tree::node_of<tree::Stored, Tree> != tree::Node::passed,
                  "tenon::onnx: there is neither a tensor nor a number in this type");
  }
}

template <class Leaf>
constexpr void check_storable() {
  static_assert(safetensors::is_storable<Leaf>,
                "tenon::onnx: a leaf is neither a tensor nor a number");
}

}  // namespace tenon::internal::onnx
