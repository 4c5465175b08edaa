#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/npy/leaf.hpp>
#include <tenon/io/safetensors/item.hpp>

namespace tenon::internal::npy {

/// A leaf to be written to a file.
template <class Leaf>
safetensors::Item item_of(std::string name, Leaf const& leaf) {
  using Form = safetensors::Form<Leaf>;
  Sizes const sizes = Form::sizes(leaf);
  int const rank = Form::shape().rank;
  auto const bytes = static_cast<std::size_t>(count(sizes, rank)) * sizeof(typename Form::Element);
  return {std::move(name),
          &dtype_of<Leaf>(),
          {sizes.begin(), sizes.begin() + rank},
          Form::data(leaf),
          bytes,
          safetensors::bringer_of<Leaf>()};
}

/// Atomically writes a file with this array.
void write_array(std::filesystem::path const& path, safetensors::Item const& array);

/// Saves a tensor, or a number, as an npy file, in C order: the bytes that NumPy writes. A bfloat16
/// is `<V2`, as that of the package ml_dtypes: `np.load(path).view(ml_dtypes.bfloat16)`. The file
/// is written atomically. Throws `FileError`. NumPy: `np.save`.
template <class X>
void save(std::filesystem::path const& path, X const& x) {
  check_array<X>();
  if constexpr (is_storable<X>) write_array(path, item_of({}, x));
}

}  // namespace tenon::internal::npy

namespace tenon::npy {

using internal::npy::save;

}  // namespace tenon::npy

#if TENON_DEFINES_RUNTIME
#include <tenon/io/npy/save.ipp>
#endif
