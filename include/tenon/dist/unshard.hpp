#pragma once

#include <utility>

#include <tenon/dist/gather_to.hpp>
#include <tenon/dist/reshard.hpp>

/// Weights that are divided over the ranks of a batch, and gathered where they are used.
namespace tenon {

/// The axis that an axis of a mesh divides last; -1 where there is none.
constexpr int axis_divided_last(Sharding const& sharding, std::string_view mesh_axis) {
  for (int i = 0; i < sharding.shape.rank; ++i)
    if (last_of(sharding[i].view()) == mesh_axis) return i;
  return -1;
}

/// Can what an axis of a mesh divides be gathered: is it the last to divide its axis?
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

/// Stands for a rank's part of a tensor that is gathered when a function takes it.
template <class X, Spec mesh_axis>
struct GatheredLate {
  using Gathering = WithoutMeshAxis<X, mesh_axis>;
  using value_type = typename X::value_type;
  using device = typename X::device;
  using Local = LocalPart<value_type, Gathering::spec, device>;

  X part;
  mpi::Place where;

  /// For a function of which the ranks of a list, as "dp@tp", compute different parts: the adjoints
  /// of all of them are added up.
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
  /// With the adjoints of the other axes.
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

namespace error {

/// The axis of the mesh, and the tensor of which another divides an axis after it.
template <Spec MeshAxis, Spec S>
struct mesh_axis_does_not_divide_last;

}  // namespace error

/// A sharded tensor as one that an axis of the mesh does not divide: `matmul(x, unshard<"dp">(w))`.
/// It is gathered by the function that takes it, and again by each other; where that has operands
/// which `dp` divides, such as the batch, its adjoint comes back by one reduce_scatter. What `dp`
/// does not divide stays as it is. PyTorch: `FSDPModule.unshard`.
template <Spec mesh_axis, ShardType X>
  requires(can_unshard(X::sharding, mesh_axis.view()))
auto unshard(X const& x, mpi::Place where = mpi::Place::current()) {
  if constexpr (axis_divided_last(X::sharding, mesh_axis.view()) < 0) return x;
  else
    return Shard<GatheredLate<X, mesh_axis>, WithoutMeshAxis<X, mesh_axis>::spec>{{x, where},
                                                                                  x.place};
}
template <Spec mesh_axis, ShardType X>
  requires(!can_unshard(X::sharding, mesh_axis.view()))
auto unshard(X const& x) -> error::mesh_axis_does_not_divide_last<mesh_axis, X::spec>;

}  // namespace tenon
