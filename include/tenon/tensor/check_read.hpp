#pragma once

#include <tenon/core/error.hpp>
#include <tenon/tensor/live_recordings.hpp>
#include <tenon/tensor/mark.hpp>

namespace tenon::internal {

/// Throws `Error`: a number has no gradient, so that of the recorded value would be lost.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_read() {
  throw Error(
      "tenon::Tensor: a recorded value is read as a number, which has no gradient: x[i] is a "
      "tensor and has one; stop_gradient(x)(i), stop_gradient(x).item() are numbers");
}

/// Throws `Error` if a value with this mark is part of a recording that is going on, here or in
/// another thread.
[[gnu::cold, gnu::noinline]] inline void check_marked_read(TapeMark mark) {
  if (is_recorded(mark) || LiveRecordings::has(mark.tape)) refuse_read();
}
constexpr void check_read(TapeMark mark) {
  if (mark.tape != 0) [[unlikely]]
    check_marked_read(mark);
}

/// Throws `Error` if a value with this mark is recorded here: its gradient would be that of other
/// elements.
constexpr void check_written(TapeMark mark) {
  if (is_recorded(mark))
    throw Error(
        "tenon::Tensor: a recorded tensor cannot be written: set<axis>(x, i, v) makes another");
}

}  // namespace tenon::internal
