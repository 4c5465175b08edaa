#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>
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

[[noreturn]] void refuse_value(Source const& source, Field const& field, AttributeType expected,
                               std::size_t got);

/// The value of an attribute under decoding, of the type of a field that it has. Throws `FileError`
/// if it has a field of another type.
template <class T>
T& value_as(Attribute& x, Source const& source, Field const& field) {
  if (x.value.index() == 0) x.value.emplace<T>();
  T* const value = std::get_if<T>(&x.value);
  auto const type = static_cast<AttributeType>(Attribute::Value(T()).index());
  if (!value) refuse_value(source, field, type, x.value.index());
  return *value;
}

/// Compares the value with the declared type of an attribute that was read, and gives it the
/// default of that type, 0 or an empty list, where it has none. Throws `FileError`.
void finish_attribute(Attribute& x, Source const& source, Field const& field);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <array>
#include <bit>
#include <limits>

#include <tenon/io/utf8.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME std::string_view name_of(WireType type) {
  if (type == WireType::varint) return "a varint";
  if (type == WireType::bytes) return "bytes";
  return type == WireType::fixed32 ? "4 bytes" : "8 bytes";
}

TENON_RUNTIME std::string_view FieldReader::take(std::uint64_t bytes) {
  auto const left = static_cast<std::uint64_t>(end_ - at_);
  if (bytes > left)
    source_.refuse_at(at_, std::to_string(bytes) + " bytes",
                      std::to_string(left) + " bytes to the end of the message");
  std::string_view const taken(at_, std::size_t{bytes});
  at_ += bytes;
  return taken;
}

TENON_RUNTIME std::uint64_t FieldReader::varint() {
  char const* const start = at_;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at_end()) source_.refuse_at(start, "a varint", "the end of the message");
    auto const byte = static_cast<unsigned char>(*at_++);
    if (shift == 63 && byte > 1) break;
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  source_.refuse_at(start, "a varint of 64 bits", "a longer one");
}

TENON_RUNTIME std::uint64_t FieldReader::fixed(std::uint64_t bytes) {
  std::uint64_t value = 0;
  std::string_view const taken = take(bytes);
  for (std::size_t i = taken.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(taken[i]);
  return value;
}

/// The number and the type of a field.
TENON_RUNTIME std::uint64_t FieldReader::tag() {
  char const* const start = at_;
  std::uint64_t const tag = varint();
  if (tag >> 3 == 0 || tag >> 3 >= std::uint64_t{1} << 29)
    source_.refuse_at(start, "a number of a field below 2^29", std::to_string(tag >> 3));
  return tag;
}

TENON_RUNTIME Field FieldReader::next() {
  Field field{.at = at_};
  std::uint64_t const tag = this->tag();
  field.number = static_cast<std::uint32_t>(tag >> 3);
  field.type = static_cast<WireType>(tag & 7u);
  if (field.type == WireType::varint) field.value = varint();
  else if (field.type == WireType::fixed64) field.value = fixed(8);
  else if (field.type == WireType::fixed32) field.value = fixed(4);
  else if (field.type == WireType::bytes) field.bytes = take(varint());
  else source_.refuse_at(field.at, "a wire type 0, 1, 2 or 5", std::to_string(tag & 7u));
  return field;
}

TENON_RUNTIME void Values::expect(Field const& field, WireType type) const {
  if (field.type == type) return;
  std::string const expected = "field " + std::to_string(field.number) + " as ";
  source_.refuse_at(field.at, expected + std::string(name_of(type)), name_of(field.type));
}

TENON_RUNTIME std::int64_t Values::integer(Field const& field) const {
  expect(field, WireType::varint);
  return static_cast<std::int64_t>(field.value);
}

/// Codes that are unknown are the dtypes of later versions.
TENON_RUNTIME DataType Values::dtype(Field const& field) const {
  std::int64_t const code = integer(field);
  if (code < 0 || code > (std::numeric_limits<std::int32_t>::max)())
    source_.refuse_at(field.at, "a dtype of ONNX", std::to_string(code));
  return static_cast<DataType>(code);
}

TENON_RUNTIME float Values::number(Field const& field) const {
  expect(field, WireType::fixed32);
  return std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
}

TENON_RUNTIME std::string_view Values::bytes(Field const& field) const {
  expect(field, WireType::bytes);
  return field.bytes;
}

TENON_RUNTIME std::string Values::string(Field const& field) const {
  std::string_view const bytes = this->bytes(field);
  source_.charge(sizeof(std::string) + bytes.size());
  return std::string(bytes);
}

TENON_RUNTIME std::string Values::text(Field const& field) const {
  std::string text = string(field);
  if (!is_utf8(text)) source_.refuse_at(field.at, "a text of UTF-8", "other bytes");
  return text;
}

/// The name of a type in messages, as in the format.
TENON_RUNTIME std::string attribute_type_name(std::int64_t type) {
  constexpr std::array<std::string_view, 11> names{"no value", "FLOAT",   "INT",    "STRING",
                                                   "TENSOR",   "GRAPH",   "FLOATS", "INTS",
                                                   "STRINGS",  "TENSORS", "GRAPHS"};
  bool const is_known = type >= 0 && type < static_cast<std::int64_t>(names.size());
  return is_known ? std::string(names[static_cast<std::size_t>(type)])
                  : "type " + std::to_string(type);
}

TENON_RUNTIME void refuse_value(Source const& source, Field const& field, AttributeType expected,
                                std::size_t got) {
  source.refuse_at(field.at,
                   "an attribute of " + attribute_type_name(static_cast<std::int64_t>(expected)),
                   attribute_type_name(static_cast<std::int64_t>(got)));
}

/// A tensor and a graph have no default.
TENON_RUNTIME bool set_default(Attribute& x) {
  if (x.type == AttributeType::float_) x.value = 0.0f;
  else if (x.type == AttributeType::integer) x.value = std::int64_t{0};
  else if (x.type == AttributeType::string) x.value = std::string();
  else if (x.type == AttributeType::floats) x.value = std::vector<float>();
  else if (x.type == AttributeType::integers) x.value = std::vector<std::int64_t>();
  else if (x.type == AttributeType::strings) x.value = std::vector<std::string>();
  else if (x.type == AttributeType::tensors) x.value = std::vector<TensorData>();
  else if (x.type == AttributeType::graphs) x.value = std::vector<std::shared_ptr<Graph const>>();
  else return x.type != AttributeType::tensor && x.type != AttributeType::graph;
  return true;
}

TENON_RUNTIME void finish_attribute(Attribute& x, Source const& source, Field const& field) {
  auto const type = static_cast<std::int64_t>(x.type);
  bool const has_value = x.value.index() != 0;
  bool const differs = has_value && static_cast<std::size_t>(x.type) != x.value.index();
  if (type != 0 && differs) refuse_value(source, field, x.type, x.value.index());
  if (has_value || !x.reference.empty()) return;
  if (!set_default(x)) refuse_value(source, field, x.type, 0);
}

}  // namespace tenon::internal::onnx

#endif
