#pragma once

#include <string_view>
#include <utility>

#include <tenon/distributed/collectives/gather.hpp>

namespace tenon::internal {

namespace mpi {

struct GatherToName {
  static constexpr std::string_view name = "gather_to";
};

}  // namespace mpi

/// `all_gather` along an axis for a result that each rank uses differently: equal to
/// `copy_to(all_gather<axis>(x, group), group)`, except that the backward is one reduce_scatter, at
/// half the cost. Differentiable. Throws `CommunicationError`. Megatron:
/// `gather_from_sequence_parallel_region`.
template <Axes axis, Expression X>
  requires NumType<typename Unqualified<X>::value_type>
auto gather_to(X&& x, Group const& group,
               mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::Resized<mpi::GatherToName, axis, X> {
  auto const back = []<class V>(auto const& dy, mpi::Division const& by, mpi::Call const& call) {
    mpi::agree(by.group, mpi::gradient_of(call));
    return mpi::reduced_part<V>(dy, by);
  };
  return mpi::gathered_parts<mpi::GatherToName, axis, true>(std::forward<X>(x), group, where, back);
}
template <Axes, Expression X>
  requires(!NumType<typename Unqualified<X>::value_type>)
auto gather_to(X&&, Group const&) ->
    typename decltype(dtype_mistake<mpi::GatherToName, Unqualified<X>>())::type;
template <Axes, class... X>
auto gather_to(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::internal

namespace tenon {

using internal::gather_to;

}  // namespace tenon
