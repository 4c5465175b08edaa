#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <tenon/core/error.hpp>

namespace tenon::training {

/// How a step changes the model.
struct StepOptions {
  /// Gradients with a larger global norm are scaled down to it (Pascanu, Mikolov and Bengio,
  /// arXiv:1211.5063); `no_clipping`: never.
  double clip_norm = 1.0;

  /// The number of micro-batches into which a batch is split along the first axis of its tensors;
  /// the backward pass holds one at a time. The step is that of the whole batch, to rounding,
  /// for a loss that is a mean over its elements, or a `LossSum`.
  std::int64_t accumulate = 1;

  std::optional<double> rate = std::nullopt;  ///< The learning rate now; none: the optimizer's.
};

/// For `.clip_norm`: gradients keep their norm.
inline constexpr double no_clipping = std::numeric_limits<double>::infinity();

/// What a step reports: the loss before it, the global norm of the gradients before clipping, and
/// the weight of the loss in a mean over steps, 0 if no step was made; none: the `batch_size`.
struct StepResult {
  double loss;
  double gradient_norm;
  std::optional<double> weight = std::nullopt;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::StepOptions;
using tenon::training::StepResult;

/// Refuses a zero, negative or NaN norm, which would end learning in silence.
inline void check_options(StepOptions const& options) {
  if (!(options.clip_norm > 0)) {
    fail<ValueError>({.who = "train_step",
                      .what = "clip_norm",
                      .expected = "a positive number; no_clipping for none",
                      .got = std::to_string(options.clip_norm)});
  }
  if (options.accumulate < 1) {
    fail<ValueError>({.who = "train_step",
                      .what = "accumulate",
                      .expected = "at least 1",
                      .got = std::to_string(options.accumulate)});
  }
}

}  // namespace tenon::internal::training
