#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <tenon/core/dtype.hpp>

namespace tenon::internal::safetensors {

/// A dtype of the format: its name there, its name here (none where Tenon has no such dtype), and
/// the bits of an element.
struct StoredDtype {
  std::string_view name;
  std::string_view dtype;
  int bits;
};

/// Every dtype of the format, as of version 0.8 of the reference implementation.
inline constexpr std::array stored_dtypes{
    StoredDtype{"BOOL", "bool", 8},
    StoredDtype{"U8", "uint8", 8},
    StoredDtype{"I8", "int8", 8},
    StoredDtype{"U16", "uint16", 16},
    StoredDtype{"I16", "int16", 16},
    StoredDtype{"F16", "float16", 16},
    StoredDtype{"BF16", "bfloat16", 16},
    StoredDtype{"U32", "uint32", 32},
    StoredDtype{"I32", "int32", 32},
    StoredDtype{"F32", "float32", 32},
    StoredDtype{"U64", "uint64", 64},
    StoredDtype{"I64", "int64", 64},
    StoredDtype{"F64", "float64", 64},
    StoredDtype{"C64", "complex64", 64},
    StoredDtype{"F4", "", 4},
    StoredDtype{"F6_E2M3", "", 6},
    StoredDtype{"F6_E3M2", "", 6},
    StoredDtype{"F8_E5M2", "float8_e5m2", 8},
    StoredDtype{"F8_E4M3", "float8_e4m3fn", 8},
    StoredDtype{"F8_E8M0", "", 8},
    StoredDtype{"F8_E4M3FNUZ", "", 8},
    StoredDtype{"F8_E5M2FNUZ", "", 8},
};

/// The dtype of a name of the format; null where there is none.
constexpr StoredDtype const* file_dtype_named(std::string_view name) {
  for (StoredDtype const& known : stored_dtypes) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

/// Whether `load` casts it: the floating dtypes of Tenon.
constexpr bool is_castable(StoredDtype const& dtype) {
  return dtype.dtype.starts_with("float") || dtype.dtype == "bfloat16";
}

/// The row of a dtype of Tenon in the table of a format; null where it has none.
constexpr StoredDtype const* stored_dtype_for(std::string_view dtype,
                                              std::span<StoredDtype const> rows = stored_dtypes) {
  for (StoredDtype const& known : rows) {
    if (known.dtype == dtype) return &known;
  }
  return nullptr;
}

/// The dtype in a file for a C++ type: a dtype is itself. Integer types that are not dtypes (`long
/// long`, `char`) are integers of their width; the format has no complex128, which is two float64.
template <class T>
struct StoredElement {
  using type = T;
};
template <>
struct StoredElement<std::complex<double>> {
  using type = double;
};
template <class T>
  requires(std::is_integral_v<T> && !is_dtype<T> && sizeof(T) <= sizeof(std::int64_t))
struct StoredElement<T> {
  template <class Signed, class Unsigned>
  using Choice = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
  using Wide = Choice<std::int64_t, std::uint64_t>;
  using Middle = std::conditional_t<sizeof(T) == 4, Choice<std::int32_t, std::uint32_t>, Wide>;
  using Short = std::conditional_t<sizeof(T) == 2, Choice<std::int16_t, std::uint16_t>, Middle>;
  using type = std::conditional_t<sizeof(T) == 1, Choice<std::int8_t, std::uint8_t>, Short>;
};
template <class T>
using StoredAs = typename StoredElement<T>::type;

/// The same for a format that has a complex128.
template <class T>
using StoredWithComplex128 =
    std::conditional_t<std::is_same_v<T, std::complex<double>>, T, StoredAs<T>>;

/// (With -fsanitize=undefined, g++ 12 evaluates no comparison of an address with null at compile
/// time, PR 71962.)
constexpr bool is_stored(std::string_view dtype) {
  for (StoredDtype const& known : stored_dtypes) {
    if (known.dtype == dtype) return true;
  }
  return false;
}

/// A dtype, or a C++ arithmetic type, that the format supports. (Not `long double`.)
template <class T>
concept StorableType = is_dtype<StoredAs<T>> && is_stored(dtype_name<StoredAs<T>>);

template <StorableType T>
constexpr StoredDtype const& stored_dtype() {
  return *stored_dtype_for(dtype_name<StoredAs<T>>);
}

}  // namespace tenon::internal::safetensors
