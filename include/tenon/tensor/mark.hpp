#pragma once

#include <cstdint>

namespace tenon {

/// Where a value stands on a tape. The mark of another tape, and 0, count as a constant.
struct TapeMark {
  std::uint32_t tape = 0;  ///< Serial number of the tape; 0 is no tape.
  std::uint32_t slot = 0;

  friend constexpr bool operator==(TapeMark const&, TapeMark const&) = default;
};

/// The serial number of the tape that this thread records on; 0 where it records nothing.
inline thread_local std::uint32_t recording = 0;

/// The serial number of the tape around it, where the innermost recording is a graph.
inline thread_local std::uint32_t recording_around = 0;

/// Is the recording around paused?
inline thread_local bool recording_paused = false;

/// Is the value that bears this mark recorded on this thread?
constexpr bool is_recorded(TapeMark mark) {
  if (mark.tape == 0) return false;
  return mark.tape == recording || mark.tape == recording_around;
}

}  // namespace tenon
