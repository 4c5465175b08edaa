#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <tenon/core/config.hpp>

/// A kernel over contiguous memory as a value, to run it over other memory: that of the small
/// leaves of a model in the step of an optimizer.
namespace tenon::internal {

class FlatKernel {
 public:
  /// Of an address: that of a result, of an input, or of a constant of that many bytes.
  enum Kind : std::uint8_t { result = 255, input = 0 };
  static constexpr std::size_t most_addresses = 32, most_constant_bytes = 16;
  using Addresses = std::array<void const*, most_addresses>;
  /// Computes the elements [begin, end).
  using Loop = void (*)(void const* const* at, std::int64_t begin, std::int64_t end,
                        bool past_caches);

  Loop loop = nullptr;
  int runs = 0;  ///< While it was recorded, of this kernel and others.
  std::size_t size = 0;
  Addresses at{};
  std::array<std::uint8_t, most_addresses> kinds{};

  /// Where this thread records its kernels over contiguous memory; null while it does not.
  static inline thread_local FlatKernel* recorded = nullptr;

  /// Keeps a kernel, with copies of its constants.
  void record(Loop run, std::span<void const* const> addresses, std::uint8_t const* kind);
  void const* constant(std::size_t i) const { return constants_[i].data(); }

 private:
  struct alignas(most_constant_bytes) Constant : std::array<std::byte, most_constant_bytes> {};
  std::array<Constant, most_addresses> constants_{};
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[gnu::cold]] TENON_RUNTIME void FlatKernel::record(Loop run,
                                                    std::span<void const* const> addresses,
                                                    std::uint8_t const* kind) {
  ++runs;
  if (addresses.size() > most_addresses) return;
  loop = run, size = addresses.size();
  for (std::size_t i = 0; i < size; ++i) {
    at[i] = addresses[i], kinds[i] = kind[i];
    if (kinds[i] != result) std::memcpy(constants_[i].data(), at[i], kinds[i]);
  }
}

}  // namespace tenon::internal

#endif
