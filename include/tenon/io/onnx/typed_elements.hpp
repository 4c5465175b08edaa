#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/field_reader.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/typed_field.hpp>

namespace tenon::internal::onnx {

/// Converts the numbers of the typed field of a tensor to bytes. Throws `FileError`.
class TypedElements {
 public:
  TypedElements(Values const& values, FileDtype const& dtype, std::string_view tensor)
      : values_(values), dtype_(dtype), tensor_(tensor), range_(integer_range(dtype)) {}

  void add(Field const& field);

  /// The bytes of all that was added.
  Bytes take();

 private:
  void add_integer(std::uint64_t value);
  void add_bytes(std::uint64_t value, std::size_t width);
  void pack_six_bits();

  Values values_;
  FileDtype const& dtype_;
  std::string tensor_;
  IntegerRange range_;
  std::vector<std::byte> bytes_{};
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/typed_elements.ipp>
#endif
