#pragma once

#include <tenon/optim/schedule.hpp>

#include "config.hpp"

namespace gpt {

/// The learning rate of each step.
inline tenon::WarmupCosine rate_of(TrainingConfig const& config) {
  return {.peak = config.learning_rate,
          .warmup = config.warmup,
          .steps = *config.steps,
          .floor = config.learning_rate / 30};
}

}  // namespace gpt
