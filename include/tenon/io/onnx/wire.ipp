#pragma once

#include <array>
#include <bit>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/wire.hpp>

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

TENON_RUNTIME void MessageWriter::number(std::uint32_t field, float value) {
  tag(field, WireType::fixed32);
  auto const bits = std::bit_cast<std::uint32_t>(value);
  std::array<unsigned char, 4> bytes{};
  for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(bits >> (8 * i));
  put(bytes.data(), bytes.size());
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
