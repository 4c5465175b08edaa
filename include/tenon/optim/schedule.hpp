#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <tenon/core/config.hpp>

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
    auto const length = static_cast<double>(std::max<std::int64_t>(steps - warmup, 1));
    double const done = (std::min)(static_cast<double>(step - warmup) / length, 1.0);
    return floor + (peak - floor) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }
};

}  // namespace tenon
