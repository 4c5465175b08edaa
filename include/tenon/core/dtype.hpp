#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <tenon/core/complex_declaration.hpp>
#include <tenon/core/float8.hpp>
#include <tenon/core/half.hpp>

namespace tenon::internal {

/// `storage`: a dtype that is only stored and converted.
enum class DtypeCategory {
  boolean,
  signed_integer,
  unsigned_integer,
  floating,
  complex,
  storage,
};

/// A row of the table below.
template <class T>
struct Dtype {
  std::string_view name;
  DtypeCategory category;
  std::string_view other_names = {};  ///< Those of PyTorch and safetensors, between spaces.
};

template <class... T>
struct DtypeTable : Dtype<T>... {};
template <class... T>
DtypeTable(Dtype<T>...) -> DtypeTable<T...>;

/// Every dtype. To add one, add a row.
inline constexpr DtypeTable dtypes{
    Dtype<float>{"float32", DtypeCategory::floating, "float fp32 f32"},
    Dtype<double>{"float64", DtypeCategory::floating, "double fp64 f64"},
    Dtype<float16>{"float16", DtypeCategory::floating, "half fp16 f16"},
    Dtype<bfloat16>{"bfloat16", DtypeCategory::floating, "bf16"},
    Dtype<std::int8_t>{"int8", DtypeCategory::signed_integer, "i8"},
    Dtype<std::int16_t>{"int16", DtypeCategory::signed_integer, "i16 short"},
    Dtype<std::int32_t>{"int32", DtypeCategory::signed_integer, "i32 int"},
    Dtype<std::int64_t>{"int64", DtypeCategory::signed_integer, "i64 long"},
    Dtype<std::uint8_t>{"uint8", DtypeCategory::unsigned_integer, "u8"},
    Dtype<std::uint16_t>{"uint16", DtypeCategory::unsigned_integer, "u16"},
    Dtype<std::uint32_t>{"uint32", DtypeCategory::unsigned_integer, "u32"},
    Dtype<std::uint64_t>{"uint64", DtypeCategory::unsigned_integer, "u64"},
    Dtype<bool>{"bool", DtypeCategory::boolean},
    Dtype<std::complex<float>>{"complex64", DtypeCategory::complex, "cfloat"},
    Dtype<std::complex<double>>{"complex128", DtypeCategory::complex, "cdouble"},
    Dtype<float8_e4m3fn>{"float8_e4m3fn", DtypeCategory::storage, "f8e4m3"},
    Dtype<float8_e5m2>{"float8_e5m2", DtypeCategory::storage, "f8e5m2"},
};

/// The row of a dtype.
template <class T>
  requires std::is_base_of_v<Dtype<T>, decltype(dtypes)>
inline constexpr Dtype<T> const& dtype = dtypes;

template <class T>
inline constexpr std::string_view dtype_name = dtype<T>.name;

/// Whether tensors can have elements of type `T`.
template <class T>
inline constexpr bool is_dtype = std::is_base_of_v<Dtype<T>, decltype(dtypes)>;

template <class T, DtypeCategory... allowed>
inline constexpr bool is_any_of = ((dtype<T>.category == allowed) || ...);

// Categories with jaxtyping's subsumption: Shaped > Bool, Num; Num > Inexact > Float, Complex; Num
// > Integer > Int, UInt; Real has the ordered dtypes.

template <class T>
concept ShapedType = is_dtype<T>;

template <class T>
concept BoolType = ShapedType<T> && is_any_of<T, DtypeCategory::boolean>;

/// The 8-bit floating dtypes: `to<>` converts them, other operations refuse them.
template <class T>
concept StorageType = ShapedType<T> && is_any_of<T, DtypeCategory::storage>;

template <class T>
concept NumType = ShapedType<T> && !is_any_of<T, DtypeCategory::boolean, DtypeCategory::storage>;

template <class T>
concept RealType = NumType<T> && !is_any_of<T, DtypeCategory::complex>;

template <class T>
concept InexactType = NumType<T> && is_any_of<T, DtypeCategory::floating, DtypeCategory::complex>;

template <class T>
concept FloatType = InexactType<T> && RealType<T>;

template <class T>
concept ComplexType = InexactType<T> && is_any_of<T, DtypeCategory::complex>;

template <class T>
concept IntegerType =
    RealType<T> && is_any_of<T, DtypeCategory::signed_integer, DtypeCategory::unsigned_integer>;

template <class T>
concept IntType = IntegerType<T> && is_any_of<T, DtypeCategory::signed_integer>;

template <class T>
concept UIntType = IntegerType<T> && is_any_of<T, DtypeCategory::unsigned_integer>;

/// The 16-bit floating dtypes: storage and conversion only; arithmetic is done in float.
template <class T>
concept HalfType = FloatType<T> && !std::is_floating_point_v<T>;

/// The floating dtypes that convert to and from numbers, without arithmetic of their own.
template <class T>
concept NarrowType = HalfType<T> || StorageType<T>;

/// The dtype of the parts of complex numbers; that of others unchanged.
template <class T>
struct RealPart {
  using type = T;
};
template <ComplexType T>
struct RealPart<T> {
  using type = typename T::value_type;
};
template <class T>
using RealPartOf = typename RealPart<T>::type;

/// The dtypes through whose values gradients flow; tensors of `StorageType` are no parameters.
template <class T>
concept AdjointType = InexactType<T> || StorageType<T>;

/// The dtypes in which adjoints are computed and accumulated.
template <class T>
concept AdjointSum = std::is_floating_point_v<T> || ComplexType<T>;

/// The dtype in which arithmetic on elements of a dtype is done and their adjoints are accumulated.
template <class T>
struct ComputedAs {
  using type = T;
};
template <NarrowType T>
struct ComputedAs<T> {
  using type = float;
};
template <class T>
using Computed = typename ComputedAs<T>::type;

}  // namespace tenon::internal

namespace tenon {

using internal::is_dtype;

}  // namespace tenon
