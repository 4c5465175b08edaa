#pragma once

// Messages of protobuf, byte by byte.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80u);
  return bytes + static_cast<char>(value);
}

inline std::string tag(std::uint64_t field, unsigned type) { return varint(field << 3 | type); }

inline std::string integer(std::uint64_t field, std::uint64_t value) {
  return tag(field, 0) + varint(value);
}

inline std::string bytes(std::uint64_t field, std::string_view content) {
  return tag(field, 2) + varint(content.size()) + std::string(content);
}

inline std::string little_endian(std::uint64_t value, int width) {
  std::string text;
  for (int i = 0; i < width; ++i) text += static_cast<char>(value >> 8 * i & 0xffu);
  return text;
}

inline std::string fixed32(std::uint64_t field, std::uint64_t value) {
  return tag(field, 5) + little_endian(value, 4);
}
inline std::string fixed64(std::uint64_t field, std::uint64_t value) {
  return tag(field, 1) + little_endian(value, 8);
}

inline std::string packed(std::uint64_t field, std::initializer_list<std::uint64_t> values) {
  std::string content;
  for (std::uint64_t const value : values) content += varint(value);
  return bytes(field, content);
}

// Messages of ONNX.

inline std::string graph(std::string_view content) { return bytes(7, content); }

/// A file with one initialiser "w" of that dtype, and fields.
inline std::string tensor_fields(std::uint64_t dtype, std::string const& fields) {
  return bytes(5, integer(2, dtype) + bytes(8, "w") + fields);
}
inline std::string tensor(std::uint64_t dtype, std::string const& fields) {
  return graph(tensor_fields(dtype, fields));
}

inline std::string property(std::uint64_t field, std::string_view key, std::string_view text) {
  return bytes(field, bytes(1, key) + bytes(2, text));
}

/// A file with the initialiser "w" of four bytes in another file.
inline std::string external(std::string_view location, std::string const& more = {}) {
  return tensor(1, integer(1, 1) + property(13, "location", location) + more + integer(14, 1));
}

/// A file with one node that has an attribute "a".
inline std::string attribute(std::string const& fields) {
  return graph(bytes(1, bytes(5, bytes(1, "a") + fields)));
}
