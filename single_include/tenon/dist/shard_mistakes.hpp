// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/tenon.hpp>

/// Compile-time errors of sharded tensors.
namespace tenon::error {

/// Two matching axes are sharded over different mesh axes: `reshard` one operand.
template <Spec Operation, Spec Axis, Spec OtherAxis, Spec... Operands>
struct shardings_differ;

/// The operand is partial on each rank: reduce it first, by `all_reduce` or `reduce_scatter`.
template <Spec Operation, Spec MeshAxes, Spec... Operands>
struct value_is_partial_over;

/// The operation needs all elements along an axis that is sharded over this mesh axis: `reshard`
/// the operand.
template <Spec Operation, Spec Axis, Spec... Operands>
struct axis_is_divided_reshard_first;

/// Two axes of the result would be divided over one mesh axis.
template <Spec Operation, Spec MeshAxis, Spec... Operands>
struct mesh_axis_divides_twice;

/// No rule propagates the sharding to the result.
template <Spec Operation, Spec... Operands>
struct is_not_known_over_shards;

/// A plain tensor among sharded ones: place it by `replicated(mesh, x)` or `shard<"...">(mesh, x)`.
template <Spec Operation, Spec Shape>
struct tensor_is_on_no_mesh;

/// The axes of a sharding do not match those of the tensor.
template <Spec Operation, Spec Sharding, Spec Tensor>
struct sharding_does_not_fit;

}  // namespace tenon::error
