#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/mark.hpp>

namespace tenon::internal {

/// Throws `Error`: a number has no gradient, so that of the recorded value would be lost.
[[noreturn, gnu::cold]] void refuse_read();

/// Throws `Error` if a value with this mark is part of an active recording, of this or another
/// thread.
[[gnu::cold]] void check_marked_read(TapeMark mark);
constexpr void check_read(TapeMark mark) {
  if (mark.tape != 0) [[unlikely]]
    check_marked_read(mark);
}

[[noreturn, gnu::cold]] void refuse_write();

/// Throws `Error` if a value with this mark is recorded here: its gradient would be that of other
/// elements.
constexpr void check_written(TapeMark mark) {
  if (is_recorded(mark)) [[unlikely]]
    refuse_write();
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>
#include <tenon/tensor/live_recordings.hpp>
#include <tenon/tensor/tracing.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_read() {
  throw Error(
      "tenon::Tensor: a recorded value is read as a number, which has no gradient: x[i] is a "
      "tensor and has one; stop_gradient(x)(i), stop_gradient(x).item() are numbers");
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME void check_marked_read(TapeMark mark) {
  if (tracing::is_on() && is_recorded(mark)) tracing::refuse_read();
  if (is_recorded(mark) || LiveRecordings::has(mark.tape)) refuse_read();
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_write() {
  throw Error(
      "tenon::Tensor: a recorded tensor cannot be written: set<axis>(x, i, v) makes another");
}

}  // namespace tenon::internal

#endif
