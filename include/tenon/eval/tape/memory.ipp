#pragma once

#include <algorithm>

#include <tenon/core/config.hpp>
#include <tenon/eval/tape/memory.hpp>

namespace tenon::internal {

[[gnu::noinline, gnu::cold]] TENON_RUNTIME void Arena::grow(std::size_t bytes) {
  std::size_t const last = grown_.empty() ? first_.size() : grown_.back().bytes();
  grown_.emplace_back((std::max)(bytes, 2 * last));
  next_ = grown_.back().as<std::byte>();
  end_ = next_ + grown_.back().bytes();
}

[[gnu::noinline, gnu::cold]] TENON_RUNTIME void AdjointSlots::grow() {
  std::vector<AdjointSlot> more(2 * std::size_t{room_});
  std::copy_n(all_, size_, more.data());
  grown_.swap(more);
  all_ = grown_.data();
  room_ *= 2;
}

TENON_RUNTIME void TapeMemory::give_back(TapeMemory* memory) {
  memory->slots.clear();
  if (!memory->buffers.empty()) memory->buffers.clear();
  memory->arena.clear();
  if (spare_ != nullptr) delete memory;
  else keep(memory);
}

TENON_RUNTIME void TapeMemory::keep(TapeMemory* memory) {
  thread_local Leaving leaving;
  (void)leaving;
  spare_ = memory;
}

}  // namespace tenon::internal
