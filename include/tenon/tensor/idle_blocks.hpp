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
  /// The same for the next size, if that is at most a quarter larger.
  MemoryBlock* take_larger(SizeClass size) {
    SizeClass const next = SizeClass::of(size.capacity + 1);
    return next.capacity > size.capacity + size.capacity / 4 ? nullptr : take(next);
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
