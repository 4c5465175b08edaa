#pragma once

/// The core of Tenon: tensors, expressions, their evaluation on the CPU, gradients.
#include <tenon/backend/cpu/backend.hpp>
#include <tenon/autodiff/grad.hpp>
#include <tenon/backend/reference.hpp>
#include <tenon/eval/draw.hpp>
#include <tenon/expr/create.hpp>
#include <tenon/expr/functions.hpp>
#include <tenon/expr/gather.hpp>
#include <tenon/expr/matmul.hpp>
#include <tenon/expr/normalise.hpp>
#include <tenon/expr/operators.hpp>
#include <tenon/expr/reductions.hpp>
#include <tenon/nn/nn.hpp>
#include <tenon/optim/optim.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/tree/tree.hpp>
