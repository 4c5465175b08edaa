#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include <tenon/backend/cuda/api.hpp>

namespace tenon::internal::cuda {

/// Copies between host and device through two page-locked buffers: while one is transferred, the
/// other is filled or emptied. Host memory may be reused on return. Thread-safe.
class Staging {
 public:
  /// The context of the stream has to be current in the calling thread.
  explicit Staging(Stream stream) : stream_(stream) {
    for (Block& block : blocks_) {
      check(api().allocate_host(&block.memory, block_bytes, 0), "asking for page-locked memory");
      check(api().create_event(&block.is_free, without_times), "making an event");
    }
  }

  void copy_from_host(Address to, void const* from, std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    for_each_part(bytes, [&](Block& block, std::size_t at, std::size_t size) {
      check(api().wait_for(block.is_free), "waiting for a copy");
      std::memcpy(block.memory, static_cast<char const*>(from) + at, size);
      check(api().copy_from_host(to + at, block.memory, size, stream_), "copying to the device");
      check(api().record(block.is_free, stream_), "copying to the device");
    });
  }

  /// Waits for all earlier commands.
  void copy_to_host(void* to, Address from, std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    Part last{};
    for_each_part(bytes, [&](Block& block, std::size_t at, std::size_t size) {
      check(api().copy_to_host(block.memory, from + at, size, stream_), "copying from the device");
      check(api().record(block.is_free, stream_), "copying from the device");
      empty(last, to);
      last = {&block, at, size};
    });
    empty(last, to);
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 22;

  struct Block {
    void* memory = nullptr;
    Event is_free = nullptr;  ///< Its last copy has completed.
  };
  struct Part {
    Block* block;
    std::size_t at, size;
  };

  static Api const& api() { return Api::instance(); }

  template <class F>
  void for_each_part(std::size_t bytes, F const& f) {
    for (std::size_t at = 0; at < bytes; at += block_bytes) {
      next_ = 1 - next_;
      f(blocks_[next_], at, (std::min)(block_bytes, bytes - at));
    }
  }
  static void empty(Part part, void* to) {
    if (part.block == nullptr) return;
    check(api().wait_for(part.block->is_free), "waiting for kernels");
    std::memcpy(static_cast<char*>(to) + part.at, part.block->memory, part.size);
  }

  Stream stream_;
  std::mutex mutex_{};
  std::array<Block, 2> blocks_{};
  std::size_t next_ = 0;
};

}  // namespace tenon::internal::cuda
