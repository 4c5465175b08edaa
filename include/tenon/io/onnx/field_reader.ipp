#pragma once

#include <bit>
#include <limits>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/field_reader.hpp>
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

}  // namespace tenon::internal::onnx
