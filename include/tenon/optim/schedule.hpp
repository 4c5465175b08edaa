#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <tenon/core/config.hpp>

namespace tenon::internal::optim {

/// From `from`, at 0, to `to`, at 1, along half a cosine.
inline double along_cosine(double from, double to, double done) {
  return to + (from - to) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

/// The part of `length` steps that is over, at most 1.
inline double part_done(std::int64_t step, std::int64_t length) {
  if (step >= length) return 1;
  return static_cast<double>(step) / static_cast<double>(length);
}

}  // namespace tenon::internal::optim

namespace tenon {

/// Linear warm-up over `warmup` steps to `peak`, then half a cosine down to `floor`, which holds
/// from step `steps` on. Steps count from 0; the first has a nonzero rate. PyTorch: `LinearLR` and
/// `CosineAnnealingLR` in sequence.
struct WarmupCosine {
  double peak = 1e-3;
  std::int64_t warmup = 0;
  std::int64_t steps = 1;
  double floor = 0;

  double operator()(std::int64_t step) const {
    if (step < warmup) return peak * static_cast<double>(step + 1) / static_cast<double>(warmup);
    std::int64_t const length = std::max<std::int64_t>(steps - warmup, 1);
    return internal::optim::along_cosine(peak, floor,
                                         internal::optim::part_done(step - warmup, length));
  }
};

}  // namespace tenon
