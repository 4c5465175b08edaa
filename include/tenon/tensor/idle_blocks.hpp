#pragma once

#include <array>
#include <cstddef>

#include <tenon/tensor/block.hpp>

namespace tenon::internal {

/// Idle blocks, one list per size. Not thread-safe.
class IdleBlocks {
 public:
  std::size_t bytes() const { return bytes_; }

  void add(MemoryBlock* block) {
    List& list = lists_[SizeClass::of(block->capacity).index];
    block->bytes = ++added_;
    block->newer = nullptr;
    block->older = list.newest;
    (list.newest != nullptr ? list.newest->newer : list.oldest) = block;
    list.newest = block;
    bytes_ += block->capacity;
  }

  /// The most recently used one of this size; null if there is none.
  MemoryBlock* take(SizeClass size) {
    List& list = lists_[size.index];
    return list.newest == nullptr ? nullptr : removed(list, list.newest);
  }
  /// The same of the next size of which there is one, up to twice as large.
  MemoryBlock* take_larger(SizeClass size) {
    std::size_t const most = 2 * size.capacity;
    MemoryBlock* block = nullptr;
    while (block == nullptr && size.capacity < most) {
      size = SizeClass::of(size.capacity + 1);
      block = take(size);
    }
    return block;
  }

  /// The least recently used one; null if there is none.
  MemoryBlock* take_oldest() {
    List* found = nullptr;
    for (List& list : lists_) {
      if (list.oldest == nullptr) continue;
      if (found == nullptr || list.oldest->bytes < found->oldest->bytes) found = &list;
    }
    return found == nullptr ? nullptr : removed(*found, found->oldest);
  }

 private:
  struct List {
    MemoryBlock* newest = nullptr;
    MemoryBlock* oldest = nullptr;
  };

  MemoryBlock* removed(List& list, MemoryBlock* block) {
    (block->newer != nullptr ? block->newer->older : list.newest) = block->older;
    (block->older != nullptr ? block->older->newer : list.oldest) = block->newer;
    bytes_ -= block->capacity;
    return block;
  }

  std::array<List, SizeClass::count> lists_{};
  std::size_t bytes_ = 0;
  std::size_t added_ = 0;
};

}  // namespace tenon::internal
