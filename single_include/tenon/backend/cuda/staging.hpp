// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include <tenon/backend/cuda/api.hpp>

namespace tenon::cuda {

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

  void copy_in(Address to, void const* from, std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    for_each_part(bytes, [&](Block& block, std::size_t at, std::size_t size) {
      check(api().wait_for(block.is_free), "waiting for a copy");
      std::memcpy(block.memory, static_cast<char const*>(from) + at, size);
      check(api().copy_in(to + at, block.memory, size, stream_), "copying to the device");
      check(api().record(block.is_free, stream_), "copying to the device");
    });
  }

  /// Waits for all earlier commands.
  void copy_out(void* to, Address from, std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    Part last{};
    for_each_part(bytes, [&](Block& block, std::size_t at, std::size_t size) {
      check(api().copy_out(block.memory, from + at, size, stream_), "copying from the device");
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
      f(blocks_[next_], at, std::min(block_bytes, bytes - at));
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

}  // namespace tenon::cuda
