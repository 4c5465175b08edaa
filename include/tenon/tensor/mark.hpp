#pragma once

#include <cstdint>

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

}  // namespace tenon::internal
