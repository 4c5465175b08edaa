#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tenon/core/dtype.hpp>
#include <tenon/io/safetensors/dtype.hpp>

namespace tenon::internal::onnx {

/// The codes of `TensorProto.DataType`.
enum class DataType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
};

/// A dtype of the format: its name there, its name here (none where Tenon has no such dtype), the
/// bits of an element (0 for strings), and its code.
struct FileDtype : safetensors::StoredDtype {
  DataType code;
};

/// Every dtype of the format, as of version 1.23 of the package `onnx`.
inline constexpr std::array file_dtypes{
    FileDtype{{"FLOAT", "float32", 32}, DataType::float32},
    FileDtype{{"UINT8", "uint8", 8}, DataType::uint8},
    FileDtype{{"INT8", "int8", 8}, DataType::int8},
    FileDtype{{"UINT16", "uint16", 16}, DataType::uint16},
    FileDtype{{"INT16", "int16", 16}, DataType::int16},
    FileDtype{{"INT32", "int32", 32}, DataType::int32},
    FileDtype{{"INT64", "int64", 64}, DataType::int64},
    FileDtype{{"STRING", "", 0}, DataType::string},
    FileDtype{{"BOOL", "bool", 8}, DataType::boolean},
    FileDtype{{"FLOAT16", "float16", 16}, DataType::float16},
    FileDtype{{"DOUBLE", "float64", 64}, DataType::float64},
    FileDtype{{"UINT32", "uint32", 32}, DataType::uint32},
    FileDtype{{"UINT64", "uint64", 64}, DataType::uint64},
    FileDtype{{"COMPLEX64", "complex64", 64}, DataType::complex64},
    FileDtype{{"COMPLEX128", "complex128", 128}, DataType::complex128},
    FileDtype{{"BFLOAT16", "bfloat16", 16}, DataType::bfloat16},
    FileDtype{{"FLOAT8E4M3FN", "", 8}, DataType{17}},
    FileDtype{{"FLOAT8E4M3FNUZ", "", 8}, DataType{18}},
    FileDtype{{"FLOAT8E5M2", "", 8}, DataType{19}},
    FileDtype{{"FLOAT8E5M2FNUZ", "", 8}, DataType{20}},
    FileDtype{{"UINT4", "", 4}, DataType{21}},
    FileDtype{{"INT4", "", 4}, DataType{22}},
    FileDtype{{"FLOAT4E2M1", "", 4}, DataType{23}},
    FileDtype{{"FLOAT8E8M0", "", 8}, DataType{24}},
    FileDtype{{"UINT2", "", 2}, DataType{25}},
    FileDtype{{"INT2", "", 2}, DataType{26}},
    FileDtype{{"FLOAT6E2M3", "", 6}, DataType{27}},
    FileDtype{{"FLOAT6E3M2", "", 6}, DataType{28}},
};

/// The row of a code; null where there is none.
constexpr FileDtype const* file_dtype_of(DataType code) {
  for (FileDtype const& known : file_dtypes) {
    if (known.code == code) return &known;
  }
  return nullptr;
}

/// The code of a name of Tenon; undefined where there is none.
constexpr DataType data_type_for(std::string_view dtype) {
  for (FileDtype const& known : file_dtypes) {
    if (known.dtype == dtype) return known.code;
  }
  return DataType::undefined;
}

/// The code of a dtype of Tenon.
template <ShapedType T>
  requires(data_type_for(dtype_name<T>) != DataType::undefined)
inline constexpr DataType data_type = data_type_for(dtype_name<T>);

}  // namespace tenon::internal::onnx
