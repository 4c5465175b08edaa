#pragma once

#include <utility>

#include <tenon/distributed/collectives/gather_to.hpp>
#include <tenon/distributed/sharding/reshard.hpp>

/// Weights sharded over data parallel ranks, gathered on use (FSDP).
namespace tenon::internal {

/// The axis whose last divisor is a given mesh axis; -1 if there is none.
constexpr int axis_divided_last(Sharding const& sharding, std::string_view mesh_axis) {
  for (int i = 0; i < sharding.shape.rank; ++i)
    if (last_of(sharding[i].view()) == mesh_axis) return i;
  return -1;
}

/// Whether a mesh axis can be gathered: it is the last to divide its tensor axis.
constexpr bool can_unshard(Sharding const& sharding, std::string_view mesh_axis) {
  bool const is_divided = lists(divided_over(sharding).view(), mesh_axis);
  return !mesh_axis.empty() && (!is_divided || axis_divided_last(sharding, mesh_axis) >= 0);
}

template <class X, Spec mesh_axis>
struct WithoutMeshAxis {
  static constexpr int axis = axis_divided_last(X::sharding, mesh_axis.view());
  static constexpr Sharding sharding() {
    Sharding result = X::sharding;
    result[axis] = FixedText(without_last(result[axis].view()));
    return result;
  }
  static constexpr auto spec = ShardingBy<WithoutMeshAxis>::spec;
};

/// A local shard that is gathered when a function uses it.
template <class X, Spec mesh_axis>
struct GatheredLate {
  using Gathering = WithoutMeshAxis<X, mesh_axis>;
  using value_type = typename X::value_type;
  using device = typename X::device;
  using Local = LocalPart<value_type, Gathering::spec, device>;

  X part;
  mpi::SourceLocation where;

  /// The gathered operand of a function whose parts the ranks of a list, as "dp@tp", compute: their
  /// adjoints are summed.
  template <class Over>
  Local used() const {
    constexpr bool is_summed = lists(Over::text.view(), mesh_axis.view());
    Group const& group = group_of(part.place, mesh_axis.view());
    constexpr auto axis = Gathering::axis;
    if constexpr (!is_summed)
      return summed<Over>(Local(all_gather<axis>(part.unchecked_local, group, where)));
    else return summed<Over>(Local(gather_to<axis>(part.unchecked_local, group, where)));
  }

 private:
  /// Sums adjoints over the other mesh axes.
  template <class Over>
  Local summed(Local x) const {
    FixedText others;
    for_each_mesh_axis(Over::text.view(), [&](std::string_view name) {
      if (name != mesh_axis.view()) others = with_mesh_axis(others, name);
    });
    if (others.empty()) return x;
    return copy_to(std::move(x), group_of(part.place, others.view()), where);
  }
};

}  // namespace tenon::internal

namespace tenon::compile_error {

/// The mesh axis, and the spec in which another mesh axis divides after it.
template <Spec MeshAxis, Spec S>
struct mesh_axis_does_not_divide_last;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// A sharded tensor as one not divided by a mesh axis: `matmul(x, unshard<"dp">(w))`. Each function
/// that uses it gathers it; if that function has operands divided by `dp`, such as the batch, the
/// backward is one reduce_scatter. A tensor not divided by `dp` is unchanged. PyTorch:
/// `FSDPModule.unshard`.
template <Spec mesh_axis, ShardType X>
  requires(can_unshard(X::sharding, mesh_axis.view()))
auto unshard(X const& x, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  if constexpr (axis_divided_last(X::sharding, mesh_axis.view()) < 0) return x;
  else
    return Shard<GatheredLate<X, mesh_axis>, WithoutMeshAxis<X, mesh_axis>::spec>{{x, where},
                                                                                  x.place};
}
template <Spec mesh_axis, ShardType X>
  requires(!can_unshard(X::sharding, mesh_axis.view()))
auto unshard(X const& x) -> error::mesh_axis_does_not_divide_last<mesh_axis, X::spec>;

}  // namespace tenon::internal

namespace tenon {

using internal::unshard;

}  // namespace tenon
