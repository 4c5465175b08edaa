#pragma once

#include <array>
#include <complex>
#include <string_view>
#include <type_traits>

#include <tenon/io/safetensors/dtype.hpp>

namespace tenon::internal::npy {

using safetensors::StoredDtype;

/// The dtypes of Tenon, with NumPy's type strings. NumPy itself has no bfloat16: `<V2`, two bytes
/// without a meaning, is what it writes for that of the package ml_dtypes.
inline constexpr std::array stored_dtypes{
    StoredDtype{"<f4", "float32", 32},      StoredDtype{"<f8", "float64", 64},
    StoredDtype{"<f2", "float16", 16},      StoredDtype{"<V2", "bfloat16", 16},
    StoredDtype{"|i1", "int8", 8},          StoredDtype{"<i2", "int16", 16},
    StoredDtype{"<i4", "int32", 32},        StoredDtype{"<i8", "int64", 64},
    StoredDtype{"|u1", "uint8", 8},         StoredDtype{"<u2", "uint16", 16},
    StoredDtype{"<u4", "uint32", 32},       StoredDtype{"<u8", "uint64", 64},
    StoredDtype{"|b1", "bool", 8},          StoredDtype{"<c8", "complex64", 64},
    StoredDtype{"<c16", "complex128", 128},
};

/// The dtype of a type string, null where Tenon has none. A byte order that means nothing, of one
/// byte, is ignored, as NumPy does: `<i1`, `=u1`.
constexpr StoredDtype const* dtype_of_descr(std::string_view descr) {
  bool const has_order = !descr.empty() && std::string_view("<|=").find(descr[0]) != descr.npos;
  std::string_view const code = descr.substr(has_order ? 1 : 0);
  for (StoredDtype const& known : stored_dtypes) {
    if (known.name.substr(1) != code) continue;
    bool const is_orderless = known.bits == 8 || code == "V2";
    return !has_order || descr[0] != '|' || is_orderless ? &known : nullptr;
  }
  return nullptr;
}

constexpr StoredDtype const* dtype_named(std::string_view dtype) {
  for (StoredDtype const& known : stored_dtypes) {
    if (known.dtype == dtype) return &known;
  }
  return nullptr;
}

/// The dtype in a file for a C++ type, as in safetensors; but NumPy has a complex128.
template <class T>
using StoredAs =
    std::conditional_t<std::is_same_v<T, std::complex<double>>, T, safetensors::StoredAs<T>>;

}  // namespace tenon::internal::npy
