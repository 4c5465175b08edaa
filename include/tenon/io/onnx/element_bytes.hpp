#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tenon::internal::onnx {

/// The bytes of all elements of a tensor; none if a size is negative or they are 2^60 or more.
constexpr std::optional<std::uint64_t> bytes_of_elements(std::span<std::int64_t const> dims,
                                                         int bits) {
  std::uint64_t product = static_cast<std::uint64_t>(bits);
  bool fits = true, is_empty = false;
  for (std::int64_t const size : dims) {
    if (size < 0) return {};
    is_empty = is_empty || size == 0;
    auto const factor = static_cast<std::uint64_t>(size == 0 ? 1 : size);
    fits = !__builtin_mul_overflow(product, factor, &product) && fits;
  }
  if (!fits || product >= std::uint64_t{1} << 63) return {};
  return is_empty ? 0 : product / 8 + (product % 8 != 0 ? 1 : 0);
}

}  // namespace tenon::internal::onnx
