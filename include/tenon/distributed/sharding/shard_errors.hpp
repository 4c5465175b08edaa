#pragma once

#include <tenon/core/mistake.hpp>

/// Compile-time errors of sharded tensors.
namespace tenon::compile_error {

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

}  // namespace tenon::compile_error
