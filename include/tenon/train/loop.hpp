#pragma once

// The loop of training, in parts: one step, accumulated gradients, an evaluation, early stopping.

#include <tenon/train/loop/accumulate.hpp>
#include <tenon/train/loop/early_stopping.hpp>
#include <tenon/train/loop/evaluate.hpp>
#include <tenon/train/loop/train_step.hpp>
