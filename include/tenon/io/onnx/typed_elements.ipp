#pragma once

#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/typed_elements.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME void TypedElements::add(Field const& field) {
  auto const type = typed_field_for(dtype_).type;
  if (type == WireType::varint)
    return values_.each_varint(field, [&](std::uint64_t x) { add_integer(x); });
  std::size_t const width = type == WireType::fixed32 ? 4 : 8;
  values_.each_fixed(field, type, [&](std::uint64_t x) { add_bytes(x, width); });
}

TENON_RUNTIME void TypedElements::add_integer(std::uint64_t value) {
  auto const number = static_cast<std::int64_t>(value);
  if (number < range_.lower || number > range_.upper)
    values_.source().refuse(
        tensor_,
        "numbers from " + std::to_string(range_.lower) + " to " + std::to_string(range_.upper),
        std::to_string(number));
  add_bytes(value, range_.width);
}

TENON_RUNTIME void TypedElements::add_bytes(std::uint64_t value, std::size_t width) {
  values_.source().charge(width);
  for (std::size_t i = 0; i < width; ++i) bytes_.push_back(std::byte(value >> 8 * i & 0xffu));
}

/// Four numbers of six bits are three bytes.
TENON_RUNTIME void TypedElements::pack_six_bits() {
  std::vector<std::byte> packed((bytes_.size() * 6 + 7) / 8);
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    auto const bits = std::to_integer<unsigned>(bytes_[i]) << i * 6 % 8;
    packed[i * 6 / 8] |= std::byte(bits & 0xffu);
    if (bits > 0xffu) packed[i * 6 / 8 + 1] |= std::byte(bits >> 8);
  }
  bytes_ = std::move(packed);
}

TENON_RUNTIME Bytes TypedElements::take() {
  if (dtype_.bits == 6) pack_six_bits();
  auto const owner = std::make_shared<std::vector<std::byte> const>(std::move(bytes_));
  return {*owner, owner};
}

}  // namespace tenon::internal::onnx
