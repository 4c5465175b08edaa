#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/rules/agree.hpp>
#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/collectives/replicated_value.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/sharding/compare_given.hpp>
#include <tenon/distributed/sharding/evaluate.hpp>
#include <tenon/distributed/sharding/local_shard.hpp>
#include <tenon/distributed/sharding/reshard_plan.hpp>
#include <tenon/distributed/sharding/shard.hpp>
#include <tenon/distributed/sharding/shard_errors.hpp>
#include <tenon/expr/view/rearrange.hpp>

/// Redistribution between shardings. A step that moves data is one collective; each is
/// differentiable.
namespace tenon::internal {

/// Whether the axes of a sharding are those of a tensor, in order. (Names and sizes may be
/// omitted.)
constexpr bool lays_out(Sharding const& sharding, Shape const& shape) {
  if (sharding.shape.rank != shape.rank) return false;
  for (int i = 0; i < shape.rank; ++i)
    if (!agree(sharding.shape[i], shape[i])) return false;
  return true;
}

/// The sharding reached from `X` by one step towards that of `To`.
template <class X, Spec To>
struct Resharding {
  static constexpr ReshardStep step = next_step(X::sharding, parsed_sharding<To>.sharding);
  static constexpr Sharding sharding() { return after(X::sharding, step); }
};

/// One step: a local slice, an all_to_all or an all_gather.
template <class Step, class X>
auto resharded_once(X const& x, mpi::SourceLocation where) {
  constexpr ReshardStep const& step = Step::step;
  constexpr auto kind = step.kind;
  Group const& group = group_of(x.place, step.over.view());
  constexpr auto spec = ShardingBy<Step>::spec;
  using Local = LocalPart<typename X::value_type, spec, typename X::device>;
  using Result = Shard<Local, spec>;
  if constexpr (kind == ReshardStep::take_part)
    return Result{Local(part_of<step.to>(x.unchecked_local, group, where)), x.place};
  else if constexpr (kind == ReshardStep::exchange)
    return Result{Local(all_to_all<step.to, step.from>(x.unchecked_local, group, where)), x.place};
  else return Result{Local(all_gather<step.from>(x.unchecked_local, group, where)), x.place};
}

template <Spec To, class X>
auto resharded(X const& x, mpi::SourceLocation where) {
  using Step = Resharding<X, To>;
  if constexpr (Step::step.kind == ReshardStep::done) return x;
  else return resharded<To>(resharded_once<Step>(x, where), where);
}

/// The same tensor in another sharding: `reshard<"batch hidden@tp">(x)`. Names the axes of the
/// tensor; sizes may be omitted. Differentiable. PyTorch: `DTensor.redistribute`.
template <Spec To, ShardType X>
  requires(lays_out(parsed_sharding<canonical_sharding<To>>.sharding, X::sharding.shape))
auto reshard(X const& x, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  check_sizes_of<ShardingOf<canonical_sharding<To>>>(
      "reshard", spec_of<ShardingOf<canonical_sharding<To>>>.view(), x.sizes());
  return resharded<canonical_sharding<To>>(x, where);
}
template <Spec To, ShardType X>
  requires(!lays_out(parsed_sharding<canonical_sharding<To>>.sharding, X::sharding.shape))
auto reshard(X const& x) -> error::sharding_does_not_fit<"reshard", To, X::spec>;
template <Spec To, PartialShardType X>
auto reshard(X const& x) -> error::value_is_partial_over<"reshard", X::over, X::spec>;

/// The global tensor, replicated on every rank, with one adjoint that is the same on all ranks: for
/// a loss, or for computation on replicated data. If it is combined with data that differs between
/// ranks, use `copy_to(unshard(x), group)`. If a gradient is taken and a later reduction runs over
/// ranks, the ranks compare the adjoint: throws `CommunicationError` if adjoints differ, or if the
/// value itself is reduced. PyTorch: `DTensor.full_tensor`.
template <ShardType X>
auto unshard(X const& x, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  if constexpr (!Expression<typename X::local_type>) {
    return unshard(eval(x), where);
  } else {
    auto value = eval(resharded<spec_of<ShardingOf<X::spec>>>(x, where).unchecked_local);
    if constexpr (FloatType<typename X::value_type> && X::device::is_host) {
      if (!graph::is_open() && any_recorded(value))
        return mpi::one_value(std::move(value), x.place.topology()->group(), where);
    }
    return value;
  }
}
template <PartialShardType X>
auto unshard(X const& x) -> error::value_is_partial_over<"unshard", X::over, X::spec>;

/// The local shard of this rank as a plain tensor, for reading: a constant. Throws `Error` if it is
/// recorded, since its gradient would be that of one rank only; use `local_map` to compute with
/// local shards. PyTorch: `DTensor.to_local`.
template <ShardType X>
auto to_local(X const& x) {
  if constexpr (!Expression<typename X::local_type>) {
    return to_local(eval(x));
  } else {
    auto part = eval(x.unchecked_local);
    if (any_recorded(part))
      throw Error(
          "tenon::to_local: expected a tensor that is not recorded, got \"" +
          std::string(X::spec.view()) +
          "\" in a gradient: local_map(f)(x) computes with parts, to_local(stop_gradient(x)) "
          "reads one");
    return part;
  }
}
template <PartialShardType X>
auto to_local(X const& x) -> error::value_is_partial_over<"to_local", X::over, X::spec>;

/// Merges the shape given by a sharding with the shape of the tensor itself.
template <Spec S, class X>
struct ShapesMerged {
  static constexpr Shape shape = [] {
    Shape result = X::shape;
    for (int i = 0; i < result.rank; ++i) result[i] = merge(ShardingOf<S>::shape[i], X::shape[i]);
    return result;
  }();
};

/// The sharding of a tensor that is equal on all ranks. With an operation's name, the ranks compare
/// what they have.
template <Spec S, Expression X>
auto shards_of(Topology const& mesh, X&& x, mpi::SourceLocation where,
               std::string_view operation = {}) {
  using E = TensorBy<ShapesMerged<S, Unqualified<X>>, Unqualified<X>>;
  using Whole = Shard<E, E::spec>;
  E value = eval(std::forward<X>(x));
  if (!operation.empty())
    mpi::compare_made<Shard<E, S>>(operation, mesh, value.sizes(), mpi::details_of_values(value),
                                   where);
  Placement const place(std::make_shared<Topology const>(mesh), value.sizes());
  return resharded<S>(Whole{std::move(value), place}, where);
}

/// Shards a tensor that is replicated on all ranks; each rank keeps its shard: `shard<"batch@dp
/// d">(mesh, x)`. Collective: the ranks compare dtypes and sizes, and after `check_values(true)`
/// values. Throws `ShapeError`, `CommunicationError`. PyTorch: `distribute_tensor`.
template <Spec S, Expression X>
  requires(lays_out(parsed_sharding<canonical_sharding<S>>.sharding, Unqualified<X>::shape))
auto shard(Topology const& mesh, X&& x,
           mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return shards_of<canonical_sharding<S>>(mesh, std::forward<X>(x), where, "shard");
}
template <Spec S, Expression X>
  requires(!lays_out(parsed_sharding<canonical_sharding<S>>.sharding, Unqualified<X>::shape))
auto shard(Topology const& mesh, X&& x)
    -> error::sharding_does_not_fit<"shard", S, spec_of<Unqualified<X>>>;

/// A tensor that is the same on all ranks, as a sharded tensor replicated over all mesh axes.
/// Compared as by `shard`. PyTorch: `DTensor.from_local` with `Replicate`.
template <Expression X>
auto replicated(Topology const& mesh, X&& x,
                mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return shards_of<spec_of<Unqualified<X>>>(mesh, std::forward<X>(x), where, "replicated");
}

}  // namespace tenon::internal

namespace tenon {

using internal::replicated;
using internal::reshard;
using internal::shard;
using internal::to_local;
using internal::unshard;

}  // namespace tenon
