#pragma once

// The loop of training, in parts: a step, an epoch, an evaluation, early stopping, a run with
// checkpoints.

#include <tenon/train/loop/accuracy.hpp>
#include <tenon/train/loop/early_stopping.hpp>
#include <tenon/train/loop/evaluate.hpp>
#include <tenon/train/loop/loss_sum.hpp>
#include <tenon/train/loop/train_epoch.hpp>
#include <tenon/train/loop/train_step.hpp>
#include <tenon/train/loop/train_until.hpp>
