#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/tensor/block_cache.hpp>
#include <tenon/tensor/device_memory.hpp>
#include <tenon/tensor/transfers.hpp>

namespace tenon::training {

/// Counters of the buffers of a device since the start of the program. Bytes are those of blocks,
/// which are up to a quarter larger than the tensors in them.
struct MemoryStatistics {
  std::string_view device;
  std::int64_t bytes_in_use = 0;
  std::int64_t peak_bytes_in_use = 0;   ///< Since the start, or `reset_peak_memory`.
  std::int64_t bytes_cached = 0;        ///< In idle blocks, which `memory::empty_cache` frees.
  std::int64_t allocations = 0;         ///< Buffers, from the cache or the system.
  std::int64_t system_allocations = 0;  ///< Buffers that the cache did not have.
  std::int64_t copies_to_device = 0, bytes_to_device = 0;  ///< From the host; 0 for a host device.
  std::int64_t copies_to_host = 0, bytes_to_host = 0;

  /// One line for each of them.
  std::string text() const;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// The counters of the memory of a device; those of `Cpu` by default. All host devices share one.
/// PyTorch: `torch.cuda.memory_stats`.
template <Device D = Cpu>
tenon::training::MemoryStatistics memory_statistics() {
  if constexpr (D::is_host) {
    return {.device = Cpu::name,
            .bytes_in_use = memory::bytes_in_use(),
            .peak_bytes_in_use = memory::peak_bytes_in_use(),
            .bytes_cached = memory::bytes_cached(),
            .allocations = memory::allocations(),
            .system_allocations = memory::system_allocations()};
  } else {
    auto const counts = DeviceBlocks<D>::instance().counts().counts();
    return {.device = D::name,
            .bytes_in_use = counts.bytes_in_use,
            .peak_bytes_in_use = counts.peak_bytes,
            .bytes_cached = counts.bytes_held - counts.bytes_in_use,
            .allocations = counts.allocations,
            .system_allocations = counts.system_allocations,
            .copies_to_device = Transfers<D>::to_device.copies,
            .bytes_to_device = Transfers<D>::to_device.bytes,
            .copies_to_host = Transfers<D>::to_host.copies,
            .bytes_to_host = Transfers<D>::to_host.bytes};
  }
}

/// Begins a new maximum of `peak_bytes_in_use`. PyTorch: `torch.cuda.reset_peak_memory_stats`.
template <Device D = Cpu>
void reset_peak_memory() {
  if constexpr (D::is_host) memory::reset_peak_bytes();
  else DeviceBlocks<D>::instance().counts().reset_peak();
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::memory_statistics;
using internal::training::reset_peak_memory;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <tenon/train/inspect/columns.hpp>

namespace tenon::training {

TENON_RUNTIME std::string MemoryStatistics::text() const {
  using namespace internal::training;
  auto const line = [](std::string_view name, std::string const& value) {
    return "  " + std::string(name) + std::string(20 - name.size(), ' ') + value + "\n";
  };
  auto const copies = [](std::int64_t count, std::int64_t bytes) {
    return with_commas(count) + " copies, " + bytes_text(bytes);
  };
  std::string text = "memory of " + std::string(device) + "\n";
  text += line("in use", bytes_text(bytes_in_use)) + line("peak", bytes_text(peak_bytes_in_use));
  text += line("cached", bytes_text(bytes_cached));
  text += line("allocations", with_commas(allocations));
  text += line("from the system", with_commas(system_allocations));
  if (device == "cpu") return text;
  return text + line("host to device", copies(copies_to_device, bytes_to_device)) +
         line("device to host", copies(copies_to_host, bytes_to_host));
}

}  // namespace tenon::training

#endif
