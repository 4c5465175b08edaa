#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tensor/check_read.hpp>
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
