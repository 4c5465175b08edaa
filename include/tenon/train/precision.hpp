#pragma once

// Training in several dtypes: `training::Precision`, `training::LossScale`, `train_step` and
// `apply_gradients` with them, `dtype_from_string`, `warn_if_emulated`.

#include <tenon/core/dtype_from_string.hpp>
#include <tenon/train/precision/emulated.hpp>
#include <tenon/train/precision/loss_scale.hpp>
#include <tenon/train/precision/precision.hpp>
#include <tenon/train/precision/step.hpp>
