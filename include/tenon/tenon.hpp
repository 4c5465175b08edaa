#pragma once

/// The core of Tenon: tensors, expressions, their evaluation on the CPU, gradients.
#include <tenon/autodiff/grad.hpp>
#include <tenon/backend/cpu/backend.hpp>
#include <tenon/backend/reference.hpp>
#include <tenon/eval/draw.hpp>
#include <tenon/expr/annotation.hpp>
#include <tenon/expr/checked.hpp>
#include <tenon/expr/create.hpp>
#include <tenon/expr/functions.hpp>
#include <tenon/expr/gather.hpp>
#include <tenon/expr/matmul.hpp>
#include <tenon/expr/moves.hpp>
#include <tenon/expr/normalise.hpp>
#include <tenon/expr/operators.hpp>
#include <tenon/expr/rearrange.hpp>
#include <tenon/expr/reductions.hpp>
#include <tenon/expr/rename.hpp>
#include <tenon/expr/shape_of.hpp>
#include <tenon/expr/slice.hpp>
#include <tenon/nn/nn.hpp>
#include <tenon/optim/optim.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/tree/tree.hpp>
