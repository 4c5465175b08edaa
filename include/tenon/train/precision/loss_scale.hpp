#pragma once

#include <cstdint>
#include <string>

#include <tenon/core/error.hpp>

namespace tenon::training {

/// A factor of the loss that keeps gradients above the smallest numbers of float16, adapted to them
/// (Micikevicius et al., arXiv:1710.03740); a tree that checkpoints save. PyTorch:
/// `torch.amp.GradScaler`, with the same defaults.
struct LossScale {
  double scale = 65536;
  double growth_factor = 2;             ///< After `growth_interval` steps with finite gradients.
  double backoff_factor = 0.5;          ///< After a step with others, which is left out.
  std::int64_t growth_interval = 2000;  ///< 0: the scale is constant.
  std::int64_t finite_steps = 0;        ///< Since the scale has changed.

  /// A factor that does not change.
  static LossScale constant(double scale) {
    return {.scale = scale, .growth_factor = 1, .backoff_factor = 1, .growth_interval = 0};
  }

  /// Whether a step with gradients that are not finite is left out, and the scale changed.
  bool is_dynamic() const { return growth_interval > 0; }

  /// Adapts the scale to a step whose gradients were finite or not. PyTorch: `scaler.update()`.
  void update(bool is_finite) {
    if (!is_dynamic()) return;
    finite_steps = is_finite ? finite_steps + 1 : 0;
    if (!is_finite) scale *= backoff_factor;
    if (finite_steps < growth_interval) return;
    scale *= growth_factor;
    finite_steps = 0;
  }
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// Refuses a scale that makes every loss zero or infinite.
inline void check_loss_scale(tenon::training::LossScale const& loss_scale) {
  if (loss_scale.scale > 0 && loss_scale.scale < 1e300) return;
  fail<ValueError>({.who = "train_step",
                    .what = "loss_scale.scale",
                    .expected = "a positive number less than 1e300",
                    .got = std::to_string(loss_scale.scale)});
}

}  // namespace tenon::internal::training
