#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/mutex.hpp>

namespace tenon::internal {

/// The position of a value on a tape. The mark of another tape, and 0, denote a constant.
struct TapeMark {
  std::uint32_t tape = 0;  ///< Serial number of the tape; 0 is no tape.
  std::uint32_t slot = 0;

  friend constexpr bool operator==(TapeMark const&, TapeMark const&) = default;
};

/// The serial number of the tape on which this thread records; 0 if it does not record.
inline thread_local std::uint32_t recording = 0;

/// The serial number of the enclosing tape, if the innermost recording is a graph.
inline thread_local std::uint32_t recording_around = 0;

/// Whether the enclosing recording is paused.
inline thread_local bool recording_paused = false;

/// Whether the value with this mark is recorded on this thread.
constexpr bool is_recorded(TapeMark mark) {
  if (mark.tape == 0) return false;
  return mark.tape == recording || mark.tape == recording_around;
}

/// The serial numbers of all active recordings of all threads. Each thread writes its own to memory
/// that all threads can read, without locks: two locks take longer than a small gradient.
class LiveRecordings {
 public:
  /// The serial number of a new recording.
  static std::uint32_t enter() {
    Notes& notes = notes_ == nullptr ? join() : *notes_;
    std::uint32_t const serial = notes.new_serial();
    notes.free_place().store(serial, MemoryOrder::relaxed);
    return serial;
  }
  /// Ends a recording, on any thread.
  static void leave(std::uint32_t serial);
  static bool has(std::uint32_t serial) { return place_anywhere(serial) != nullptr; }

 private:
  /// The recordings of one thread. Only that thread fills entries; any thread may clear one. Never
  /// deleted: the next thread reuses them.
  struct Notes {
    std::array<Atomic<std::uint32_t>, 8> live{};  ///< 0: free.
    std::uint32_t next_serial = 0, last_serial = 0;
    Atomic<bool> taken{true};
    Notes* more = nullptr;  ///< Used if the thread has more recordings than entries.
    Notes* next = nullptr;  ///< In the list of all threads.

    /// Serial numbers are reserved in batches. 0 is never used, also after wrap-around.
    std::uint32_t new_serial() {
      if (next_serial == last_serial) {
        next_serial = drawn_.fetch_add(serials_at_once, MemoryOrder::relaxed);
        last_serial = next_serial + serials_at_once - 1;
      }
      return ++next_serial;
    }
    Atomic<std::uint32_t>* place_of(std::uint32_t serial) {
      for (auto& place : live)
        if (place.load(MemoryOrder::relaxed) == serial) return &place;
      return nullptr;
    }
    Atomic<std::uint32_t>& free_place() {
      auto* const place = place_of(0);
      if (place != nullptr) return *place;
      if (more == nullptr) more = take();
      return more->free_place();
    }
  };

  /// At the end of a thread, releases its entries for reuse.
  struct Leaving {
    ~Leaving() {
      for (Notes* notes = std::exchange(notes_, nullptr); notes != nullptr;) {
        Notes* const more = std::exchange(notes->more, nullptr);
        notes->taken.store(false, MemoryOrder::release);
        notes = more;
      }
    }
  };

  [[gnu::cold]] static Notes& join();

  /// Entries without a thread.
  static Notes* take();

  static Atomic<std::uint32_t>* place_anywhere(std::uint32_t serial);

  static constexpr std::uint32_t serials_at_once = 1024;
  static inline Atomic<std::uint32_t> drawn_{0};
  static inline Atomic<Notes*> all_{nullptr};
  static inline thread_local Notes* notes_ = nullptr;
};

/// Throws `Error` if a recording with the mark of a value is active: that of another thread, or an
/// enclosing one.
[[gnu::cold]] void refuse_other_recording(TapeMark mark);

/// The same where the mark is not of the present recording: the gradient would silently be lost.
inline void check_recording(TapeMark mark) {
  if (mark.tape != 0 && !is_recorded(mark)) refuse_other_recording(mark);
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>

namespace tenon::internal {

TENON_RUNTIME void LiveRecordings::leave(std::uint32_t serial) {
  Atomic<std::uint32_t>* place = notes_ == nullptr ? nullptr : notes_->place_of(serial);
  if (place == nullptr) place = place_anywhere(serial);
  if (place != nullptr) place->store(0, MemoryOrder::relaxed);
}

[[gnu::noinline, gnu::cold]] TENON_RUNTIME LiveRecordings::Notes& LiveRecordings::join() {
  thread_local Leaving leaving;
  (void)leaving;
  notes_ = take();
  return *notes_;
}

TENON_RUNTIME LiveRecordings::Notes* LiveRecordings::take() {
  for (Notes* notes = all_.load(MemoryOrder::acquire); notes; notes = notes->next)
    if (!notes->taken.exchange(true, MemoryOrder::acquire)) return notes;
  auto* const notes = new Notes;
  notes->next = all_.load(MemoryOrder::relaxed);
  while (!all_.compare_exchange(notes->next, notes)) continue;
  return notes;
}

TENON_RUNTIME Atomic<std::uint32_t>* LiveRecordings::place_anywhere(std::uint32_t serial) {
  for (Notes* notes = all_.load(MemoryOrder::acquire); notes; notes = notes->next)
    if (auto* const place = notes->place_of(serial)) return place;
  return nullptr;
}

[[gnu::noinline, gnu::cold]] TENON_RUNTIME void refuse_other_recording(TapeMark mark) {
  if (!LiveRecordings::has(mark.tape)) return;
  throw Error(concatenate(
      {"tenon::value_and_grad: a recorded tensor is used outside of its recording: ",
       recording != 0     ? "in a recording inside"
       : recording_paused ? "captured by a custom_vjp or a checkpoint: pass it as an argument"
                          : "in another thread"}));
}

}  // namespace tenon::internal

#endif
