#pragma once

/// The core of Tenon: tensors, expressions, their evaluation on the CPU, gradients.
// Included first: the include stack in the notes of compilers is then short.
#include <tenon/core/config.hpp>

#include <tenon/core/mistake.hpp>

#include <tenon/tensor/expression.hpp>

#include <tenon/tensor/tensor.hpp>

#include <tenon/tensor/aliases.hpp>

#include <tenon/expr/map/map.hpp>

#include <tenon/expr/join/join.hpp>

#include <tenon/autodiff/checkpoint.hpp>
#include <tenon/autodiff/grad.hpp>
#include <tenon/backend/cpu/backend.hpp>
#include <tenon/backend/cpu/instances.hpp>
#include <tenon/backend/reference.hpp>
#include <tenon/core/format_spec.hpp>
#include <tenon/core/runtime_version.hpp>
#include <tenon/eval/along_axis/replace.hpp>
#include <tenon/eval/along_axis/scan.hpp>
#include <tenon/eval/along_axis/sort.hpp>
#include <tenon/eval/assemble.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/draw.hpp>
#include <tenon/eval/draw_integers.hpp>
#include <tenon/eval/evaluate_together.hpp>
#include <tenon/eval/linalg/cholesky.hpp>
#include <tenon/eval/linalg/det.hpp>
#include <tenon/eval/linalg/eigh.hpp>
#include <tenon/eval/linalg/matrix_function.hpp>
#include <tenon/eval/linalg/qr.hpp>
#include <tenon/eval/linalg/solve.hpp>
#include <tenon/eval/linalg/svd.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/eval/move_tree.hpp>
#include <tenon/eval/pooling/pool.hpp>
#include <tenon/eval/surround.hpp>
#include <tenon/eval/to_vector.hpp>
#include <tenon/eval/view.hpp>
#include <tenon/expr/annotation.hpp>
#include <tenon/expr/assign.hpp>
#include <tenon/expr/checked.hpp>
#include <tenon/expr/contract/convolve.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/contract/vectors.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/create/linspace.hpp>
#include <tenon/expr/create/one_hot.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/gather/sort.hpp>
#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/join/set.hpp>
#include <tenon/expr/join/stack.hpp>
#include <tenon/expr/lazy.hpp>
#include <tenon/expr/linalg/cholesky.hpp>
#include <tenon/expr/linalg/decompose.hpp>
#include <tenon/expr/linalg/eigh.hpp>
#include <tenon/expr/linalg/matrix_function.hpp>
#include <tenon/expr/linalg/solve.hpp>
#include <tenon/expr/map/bit_operators.hpp>
#include <tenon/expr/map/close.hpp>
#include <tenon/expr/map/compound.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/numbers.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/reduction/mean.hpp>
#include <tenon/expr/reduction/norms.hpp>
#include <tenon/expr/reduction/pool.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/expr/reduction/scan.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/expr/shape_of.hpp>
#include <tenon/expr/view.hpp>
#include <tenon/expr/view/diagonal.hpp>
#include <tenon/expr/view/expand.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/expr/view/rearrange.hpp>
#include <tenon/expr/view/rename.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/expr/view/row.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/split.hpp>
#include <tenon/expr/view/triangle.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/expr/view/window.hpp>
#include <tenon/losses/cross_entropy.hpp>
#include <tenon/losses/regression.hpp>
#include <tenon/nn/nn.hpp>
#include <tenon/optim/optim.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/tensor/span.hpp>
#include <tenon/tree/tree.hpp>
