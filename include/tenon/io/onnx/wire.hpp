#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>

/// The wire format of protobuf: https://protobuf.dev/programming-guides/encoding
namespace tenon::internal::onnx {

enum class WireType : std::uint32_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// The maximum size of a message, of all implementations of protobuf.
inline constexpr std::uint64_t most_message_bytes = (std::uint64_t{1} << 31) - 1;

/// Writes the fields of a message twice: first nothing but sizes are counted, then bytes are
/// produced. A nested message is preceded by its size, so it would otherwise be copied into each
/// message around it. `fields(writer)` has to write the same fields both times.
class MessageWriter {
 public:
  /// A function that takes the next bytes of the message.
  using Sink = std::function<void(void const*, std::size_t)>;

  /// Counts.
  MessageWriter() = default;

  /// The bytes counted since the construction.
  std::uint64_t size() const { return size_; }

  /// Begins again, and produces the bytes.
  void produce(Sink sink);

  void integer(std::uint32_t field, std::int64_t value);
  void number(std::uint32_t field, float value);
  void number(std::uint32_t field, double value);
  void bytes(std::uint32_t field, void const* data, std::size_t size);
  void text(std::uint32_t field, std::string_view value) {
    bytes(field, value.data(), value.size());
  }

  /// A nested message, whose fields `write` writes.
  template <class F>
  void message(std::uint32_t field, F&& write) {
    tag(field, WireType::bytes);
    std::size_t const slot = begin_message();
    std::uint64_t const start = size_;
    write();
    end_message(slot, start);
  }

 private:
  void tag(std::uint32_t field, WireType type);
  void varint(std::uint64_t value);
  void put(void const* data, std::size_t size);
  std::size_t begin_message();
  void end_message(std::size_t slot, std::uint64_t start);

  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> sizes_{};  ///< Of the nested messages, in the order of their tags.
  std::size_t next_ = 0;
  Sink sink_{};
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <array>
#include <bit>
#include <utility>

namespace tenon::internal::onnx {

TENON_RUNTIME void MessageWriter::produce(Sink sink) {
  sink_ = std::move(sink);
  size_ = 0;
  next_ = 0;
}

TENON_RUNTIME void MessageWriter::put(void const* data, std::size_t size) {
  size_ += size;
  if (sink_) sink_(data, size);
}

TENON_RUNTIME void MessageWriter::varint(std::uint64_t value) {
  std::array<unsigned char, 10> bytes{};
  std::size_t count = 0;
  for (; value >= 0x80; value >>= 7) bytes[count++] = static_cast<unsigned char>(value | 0x80u);
  bytes[count++] = static_cast<unsigned char>(value);
  put(bytes.data(), count);
}

TENON_RUNTIME void MessageWriter::tag(std::uint32_t field, WireType type) {
  varint(field << 3 | static_cast<std::uint32_t>(type));
}

TENON_RUNTIME void MessageWriter::integer(std::uint32_t field, std::int64_t value) {
  tag(field, WireType::varint);
  varint(static_cast<std::uint64_t>(value));
}

/// The bytes of a number, little-endian.
template <class Bits, class Number>
std::array<unsigned char, sizeof(Bits)> little_endian(Number value) {
  auto const bits = std::bit_cast<Bits>(value);
  std::array<unsigned char, sizeof(Bits)> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(bits >> (8 * i));
  return bytes;
}

TENON_RUNTIME void MessageWriter::number(std::uint32_t field, float value) {
  tag(field, WireType::fixed32);
  put(little_endian<std::uint32_t>(value).data(), sizeof value);
}

TENON_RUNTIME void MessageWriter::number(std::uint32_t field, double value) {
  tag(field, WireType::fixed64);
  put(little_endian<std::uint64_t>(value).data(), sizeof value);
}

TENON_RUNTIME void MessageWriter::bytes(std::uint32_t field, void const* data, std::size_t size) {
  tag(field, WireType::bytes);
  varint(size);
  if (size > 0) put(data, size);
}

/// While counting, the size is not known yet and its varint is counted at the end.
TENON_RUNTIME std::size_t MessageWriter::begin_message() {
  if (sink_) {
    varint(sizes_[next_++]);
    return 0;
  }
  sizes_.push_back(0);
  return sizes_.size() - 1;
}

TENON_RUNTIME void MessageWriter::end_message(std::size_t slot, std::uint64_t start) {
  if (sink_) return;
  sizes_[slot] = size_ - start;
  varint(sizes_[slot]);
}

}  // namespace tenon::internal::onnx

#endif
