#pragma once

/// The core of Tenon: tensors, expressions, their evaluation on the CPU, gradients.
#include <tenon/core/mistake.hpp>  // first: the notes of compilers then show a short way to it

#include <tenon/autodiff/checkpoint.hpp>
#include <tenon/autodiff/grad.hpp>
#include <tenon/backend/cpu/backend.hpp>
#include <tenon/backend/reference.hpp>
#include <tenon/eval/assemble.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/draw.hpp>
#include <tenon/eval/replace.hpp>
#include <tenon/eval/scan.hpp>
#include <tenon/eval/view.hpp>
#include <tenon/expr/annotation.hpp>
#include <tenon/expr/assign.hpp>
#include <tenon/expr/checked.hpp>
#include <tenon/expr/close.hpp>
#include <tenon/expr/compound.hpp>
#include <tenon/expr/create.hpp>
#include <tenon/expr/functions.hpp>
#include <tenon/expr/gather.hpp>
#include <tenon/expr/join.hpp>
#include <tenon/expr/join_pad.hpp>
#include <tenon/expr/join_set.hpp>
#include <tenon/expr/like.hpp>
#include <tenon/expr/linspace.hpp>
#include <tenon/expr/matmul.hpp>
#include <tenon/expr/moves.hpp>
#include <tenon/expr/normalise.hpp>
#include <tenon/expr/norms.hpp>
#include <tenon/expr/operators.hpp>
#include <tenon/expr/rearrange.hpp>
#include <tenon/expr/reductions.hpp>
#include <tenon/expr/rename.hpp>
#include <tenon/expr/row.hpp>
#include <tenon/expr/scan.hpp>
#include <tenon/expr/shape_of.hpp>
#include <tenon/expr/slice.hpp>
#include <tenon/expr/view.hpp>
#include <tenon/nn/nn.hpp>
#include <tenon/optim/optim.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/tree/tree.hpp>
