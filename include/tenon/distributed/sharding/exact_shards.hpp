#pragma once

#include <utility>

#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/sharding/reduction.hpp>
#include <tenon/distributed/sharding/reshard.hpp>

/// Reductions of sharded tensors with the same bits for any sharding.
namespace tenon::internal {

/// The exact reduction of axes of a sharded tensor, sharded ones included.
template <Axes axes, class X>
auto exactly_reduced(X const& x, bool divides, mpi::SourceLocation where) {
  constexpr AxisChoice reduced = choose(X::sharding.shape, axes);
  auto const parts = sum<axes>(x);  // an expression, only for its sharding
  using Parts = Unqualified<decltype(parts)>;
  using Local = TensorOf<typename Parts::local_type>;
  Group group;
  if constexpr (PartialShardType<Parts>) group = group_of(x.place, Parts::over.view());
  mpi::ExactReductionOf const how{reduced, axes.names.view(), divides};
  auto local = mpi::exact_reduced<Local>(x.unchecked_local, how, group, where);
  return Shard<Local, Parts::spec>{std::move(local), parts.place};
}

/// The sum over axes of a sharded tensor, reduced over ranks: `all_reduce(sum<"batch">(x))` with
/// the same bits for any mesh. Differentiable.
template <Axes axes = every, ShardType X,
          WellFormed R = ShardedReduction<op::SumReduction, axes, X&&>>
  requires FloatType<typename Unqualified<X>::value_type>
auto exact_sum(X&& x, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return exactly_reduced<axes>(x, false, where);
}
template <Axes axes = every, ShardType X,
          IllFormed R = ShardedReduction<op::SumReduction, axes, X&&>>
auto exact_sum(X&& x) -> R;

/// The mean, likewise: `all_reduce(mean<"batch">(x))`.
template <Axes axes = every, ShardType X,
          WellFormed R = ShardedReduction<op::SumReduction, axes, X&&>>
  requires FloatType<typename Unqualified<X>::value_type>
auto exact_mean(X&& x, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return exactly_reduced<axes>(x, true, where);
}
template <Axes axes = every, ShardType X,
          IllFormed R = ShardedReduction<op::SumReduction, axes, X&&>>
auto exact_mean(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::exact_mean;
using internal::exact_sum;

}  // namespace tenon
