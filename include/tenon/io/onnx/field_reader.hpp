#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/dtype.hpp>
#include <tenon/io/onnx/source.hpp>
#include <tenon/io/onnx/wire.hpp>

namespace tenon::internal::onnx {

/// A field of a message: a number, or bytes.
struct Field {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;
  std::string_view bytes{};
  char const* at = nullptr;  ///< Its position in the file.
};

/// Reads the fields of a message, or numbers one after the other. Throws `FileError`.
class FieldReader {
 public:
  FieldReader(Source const& source, std::string_view message)
      : source_(source), at_(message.data()), end_(at_ + message.size()) {}

  bool at_end() const { return at_ == end_; }

  Field next();
  std::uint64_t varint();
  std::uint64_t fixed(std::uint64_t bytes);

 private:
  std::uint64_t tag();
  std::string_view take(std::uint64_t bytes);

  Source const& source_;
  char const* at_;
  char const* end_;
};

/// Values of fields, of the wire types in which they may come. Throws `FileError`.
class Values {
 public:
  explicit Values(Source& source) : source_(source) {}

  Source& source() const { return source_; }

  std::int64_t integer(Field const& field) const;
  DataType dtype(Field const& field) const;
  float number(Field const& field) const;
  std::string_view bytes(Field const& field) const;

  /// Bytes as a string that is counted as memory; a text is UTF-8.
  std::string string(Field const& field) const;
  std::string text(Field const& field) const;

  /// Calls take(value) for each number of a repeated field: one, or packed.
  template <class F>
  void each_varint(Field const& field, F const& take) const {
    if (field.type == WireType::varint) return take(field.value);
    for (FieldReader reader(source_, bytes(field)); !reader.at_end();) take(reader.varint());
  }
  template <class F>
  void each_fixed(Field const& field, WireType type, F const& take) const {
    if (field.type == type) return take(field.value);
    std::uint64_t const width = type == WireType::fixed32 ? 4 : 8;
    for (FieldReader reader(source_, bytes(field)); !reader.at_end();) take(reader.fixed(width));
  }

 private:
  void expect(Field const& field, WireType type) const;

  Source& source_;
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/field_reader.ipp>
#endif
