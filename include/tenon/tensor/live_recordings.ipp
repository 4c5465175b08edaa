#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/live_recordings.hpp>

namespace tenon::internal {

TENON_RUNTIME void LiveRecordings::leave(std::uint32_t serial) {
  std::atomic<std::uint32_t>* place = notes_ == nullptr ? nullptr : notes_->place_of(serial);
  if (place == nullptr) place = place_anywhere(serial);
  if (place != nullptr) place->store(0, std::memory_order_relaxed);
}

[[gnu::noinline, gnu::cold]] TENON_RUNTIME LiveRecordings::Notes& LiveRecordings::join() {
  thread_local Leaving leaving;
  (void)leaving;
  notes_ = take();
  return *notes_;
}

TENON_RUNTIME LiveRecordings::Notes* LiveRecordings::take() {
  for (Notes* notes = all_.load(std::memory_order_acquire); notes; notes = notes->next)
    if (!notes->taken.exchange(true, std::memory_order_acquire)) return notes;
  auto* const notes = new Notes;
  notes->next = all_.load(std::memory_order_relaxed);
  while (!all_.compare_exchange_weak(notes->next, notes, std::memory_order_release)) continue;
  return notes;
}

TENON_RUNTIME std::atomic<std::uint32_t>* LiveRecordings::place_anywhere(std::uint32_t serial) {
  for (Notes* notes = all_.load(std::memory_order_acquire); notes; notes = notes->next)
    if (auto* const place = notes->place_of(serial)) return place;
  return nullptr;
}

}  // namespace tenon::internal
