#pragma once

#include <string_view>
#include <utility>

#include <tenon/dist/gather.hpp>

namespace tenon {

namespace mpi {

struct GatherToName {
  static constexpr std::string_view name = "gather_to";
};

}  // namespace mpi

/// The values of all ranks one after the other along an axis, as `all_gather` has them, for use by
/// each rank in its own way: `copy_to(all_gather<axis>(x, group), group)`, but that adjoints go
/// back by one reduce_scatter, at half the cost. Differentiable. Throws `CommunicationError`.
/// Megatron: `gather_from_sequence_parallel_region`.
template <Axes axis, Expression X>
  requires NumType<typename Unqualified<X>::value_type>
auto gather_to(X&& x, Group const& group, mpi::Place where = mpi::Place::current())
    -> mpi::Resized<mpi::GatherToName, axis, X> {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using R = mpi::Resized<mpi::GatherToName, axis, V>;
        constexpr int at_axis = Chosen<axis, V>::value.axis();
        auto const call = mpi::with_gradient_of(
            mpi::call_of("gather_to", axis.names.view(), value, where, -1, at_axis), value);
        mpi::agree(group, call);
        mpi::Division const by{group, at_axis, mpi::all_numbers(at(value.sizes(), at_axis), group)};
        return mpi::linear([=](V const& v) { return mpi::gathered<R>(v, by); },
                           [by, call](R const& dy, R const&, V const&) {
                             mpi::agree(by.group, mpi::gradient_of(call));
                             return mpi::reduced_part<V>(dy, by);
                           },
                           value);
      },
      std::forward<X>(x));
}
template <Axes, Expression X>
  requires(!NumType<typename Unqualified<X>::value_type>)
auto gather_to(X&&, Group const&) ->
    typename decltype(dtype_mistake<mpi::GatherToName, Unqualified<X>>())::type;
template <Axes, class... X>
auto gather_to(X const&...) -> FirstMistake<X...>;

}  // namespace tenon
