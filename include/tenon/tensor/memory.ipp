#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

[[gnu::cold, gnu::noinline]] TENON_RUNTIME SharedBuffer SharedBuffer::copied() const {
  SharedBuffer copy(bytes());
  if (bytes() > 0) std::memcpy(copy.data(), data(), bytes());
  return copy;
}

namespace memory {

TENON_RUNTIME void check_not_negative(std::int64_t size) {
  if (size >= 0) return;
  std::string const got = std::to_string(size);
  fail<ShapeError>({.who = "memory", .expected = "a size of at least 0", .got = got});
}

TENON_RUNTIME std::size_t bytes_of(std::span<std::int64_t const> sizes, std::size_t element) {
  auto bytes = static_cast<std::int64_t>(element);
  bool empty = false, fits = true;
  for (std::int64_t const size : sizes) {
    check_not_negative(size);
    empty = empty || size == 0;
    fits = !__builtin_mul_overflow(bytes, size, &bytes) && fits;
  }
  if (empty) return 0;
  if (!fits) fail<ShapeError>({.who = "memory", .expected = "less than 2^63 bytes", .got = "more"});
  return static_cast<std::size_t>(bytes);
}

}  // namespace memory

}  // namespace tenon::internal
