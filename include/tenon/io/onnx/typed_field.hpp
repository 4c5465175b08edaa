#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <tenon/io/onnx/dtype.hpp>
#include <tenon/io/onnx/wire.hpp>

namespace tenon::internal::onnx {

/// A field of `TensorProto` that contains elements as numbers.
struct TypedField {
  std::uint32_t number;
  std::string_view name;
  WireType type;
};

inline constexpr TypedField typed_fields[] = {
    {4, "float_data", WireType::fixed32},   {5, "int32_data", WireType::varint},
    {6, "string_data", WireType::bytes},    {7, "int64_data", WireType::varint},
    {10, "double_data", WireType::fixed64}, {11, "uint64_data", WireType::varint},
};

/// The field of that number; null where it is another kind of field.
constexpr TypedField const* typed_field(std::uint32_t number) {
  for (TypedField const& field : typed_fields) {
    if (field.number == number) return &field;
  }
  return nullptr;
}

/// The field that contains the elements of a dtype. (The parts of a complex number are two
/// elements; those of 2 and 4 bits come as bytes.)
constexpr TypedField const& typed_field_for(FileDtype const& dtype) {
  switch (dtype.code) {
    case DataType::float32:
    case DataType::complex64:
      return typed_fields[0];
    case DataType::string:
      return typed_fields[2];
    case DataType::int64:
      return typed_fields[3];
    case DataType::float64:
    case DataType::complex128:
      return typed_fields[4];
    case DataType::uint32:
    case DataType::uint64:
      return typed_fields[5];
    default:
      return typed_fields[1];
  }
}

/// The bytes of an integer in memory, and the numbers that it may be.
struct IntegerRange {
  std::size_t width;
  std::int64_t lower;
  std::int64_t upper;
};

constexpr IntegerRange integer_range(FileDtype const& dtype) {
  std::size_t const width = dtype.bits < 8 ? 1 : static_cast<std::size_t>(dtype.bits) / 8;
  if (dtype.code == DataType::boolean) return {width, 0, 1};
  if (dtype.bits == 6) return {width, 0, 63};
  if (width >= 8)
    return {width, (std::numeric_limits<std::int64_t>::min)(),
            (std::numeric_limits<std::int64_t>::max)()};
  std::int64_t const values = std::int64_t{1} << 8 * width;
  bool const is_signed = dtype.code == DataType::int8 || dtype.code == DataType::int16 ||
                         dtype.code == DataType::int32;
  std::int64_t const lower = is_signed ? -(values / 2) : 0;
  return {width, lower, lower + values - 1};
}

}  // namespace tenon::internal::onnx
