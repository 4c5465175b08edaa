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

#include <utility>

#include <tenon/dist/reshard.hpp>

/// Reductions of partial values over ranks.
namespace tenon {

/// The reduced value, replicated over the mesh axes over which `parts` is partial:
/// `all_reduce(matmul(x, w))`. PyTorch: `redistribute` from `Partial` to `Replicate`.
template <PartialShardType P>
auto all_reduce(P const& parts, mpi::Place where = mpi::Place::current()) {
  Group const& group = group_of(parts.place, P::over.view());
  auto local = all_reduce<typename P::fold>(parts.unchecked_local, group, where);
  return Shard<decltype(local), P::spec>{std::move(local), parts.place};
}

/// A sharding with one axis divided further.
template <class X, int axis, Spec over>
struct DividedFurther {
  static constexpr Sharding sharding() {
    Sharding result = X::sharding;
    for_each_mesh_axis(over.view(), [&](std::string_view name) {
      result[axis] = with_mesh_axis(result[axis], name);
    });
    return result;
  }
};

/// `x` summed over all ranks of a list of mesh axes, one mesh axis after the other, and sharded
/// along an axis.
template <int axis, class X>
auto scattered_sum(X const& x, Placement const& place, std::string_view list, mpi::Place where) {
  auto part = eval(x);
  for_each_mesh_axis(list, [&](std::string_view name) {
    part = reduce_scatter<axis>(part, group_of(place, name), where);
  });
  return part;
}

/// The reduced value, sharded along an axis over the mesh axes over which `parts` is partial:
/// `reduce_scatter<"batch">(matmul(x, w))`. PyTorch: `redistribute` from `Partial` to `Shard`.
template <Axes axes, PartialShardType P>
  requires std::same_as<typename P::fold, op::SumFold>
auto reduce_scatter(P const& parts, mpi::Place where = mpi::Place::current()) {
  constexpr int axis = choose(P::sharding.shape, axes).axis();
  constexpr auto spec = ShardingBy<DividedFurther<P, axis, P::over>>::spec;
  using Open = TensorBy<mpi::ResizedRule<axis, axis, typename P::local_type>, P>;
  using Local = LocalPart<typename P::value_type, spec, typename P::device>;
  Open const part =
      scattered_sum<axis>(Open(parts.unchecked_local), parts.place, P::over.view(), where);
  return Shard<Local, spec>{Local(part), parts.place};
}

}  // namespace tenon
