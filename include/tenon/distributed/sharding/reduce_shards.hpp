#pragma once

#include <utility>

#include <tenon/distributed/sharding/reshard.hpp>

/// Reductions of partial values over ranks.
namespace tenon::internal {

/// The reduced value, replicated over the mesh axes over which `parts` is partial:
/// `all_reduce(matmul(x, w))`. PyTorch: `redistribute` from `Partial` to `Replicate`.
template <PartialShardType P>
auto all_reduce(P const& parts, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  Group const& group = group_of(parts.place, P::over.view());
  auto local = all_reduce<typename P::reduction>(parts.unchecked_local, group, where);
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
auto scattered_sum(X const& x, Placement const& place, std::string_view list,
                   mpi::SourceLocation where) {
  auto part = eval(x);
  for_each_mesh_axis(list, [&](std::string_view name) {
    part = reduce_scatter<axis>(part, group_of(place, name), where);
  });
  return part;
}

/// The reduced value, sharded along an axis over the mesh axes over which `parts` is partial:
/// `reduce_scatter<"batch">(matmul(x, w))`. PyTorch: `redistribute` from `Partial` to `Shard`.
template <Axes axes, PartialShardType P>
  requires std::same_as<typename P::reduction, op::SumReduction>
auto reduce_scatter(P const& parts, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  constexpr int axis = choose(P::sharding.shape, axes).axis();
  constexpr auto spec = ShardingBy<DividedFurther<P, axis, P::over>>::spec;
  using Open = TensorBy<mpi::ResizedRule<axis, axis, typename P::local_type>, P>;
  using Local = LocalPart<typename P::value_type, spec, typename P::device>;
  Open const part =
      scattered_sum<axis>(Open(parts.unchecked_local), parts.place, P::over.view(), where);
  return Shard<Local, spec>{Local(part), parts.place};
}

}  // namespace tenon::internal

namespace tenon {

using internal::all_reduce;
using internal::reduce_scatter;

}  // namespace tenon
