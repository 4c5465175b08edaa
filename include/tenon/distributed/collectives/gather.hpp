#pragma once

#include <string_view>
#include <utility>

#include <tenon/distributed/collectives/along.hpp>
#include <tenon/distributed/collectives/replicated_value.hpp>

/// all_gather, reduce_scatter and slicing along an axis.
namespace tenon::internal {

namespace mpi {

struct AllGatherName {
  static constexpr std::string_view name = "all_gather";
};
struct PartOfName {
  static constexpr std::string_view name = "part_of";
};
struct ReduceScatterName {
  static constexpr std::string_view name = "reduce_scatter";
};

/// The adjoint of the concatenation from those of the shards.
template <TensorType V, TensorType R>
V gathered_back(R const& dy, Division const& by, Call const& call) {
  agree(by.group, gradient_of(call));
  return gathered<V>(dy, by);
}

/// Gathered shards; `back<V>(dy, by, call)` is the adjoint of the local shard, in which ranks
/// communicate if it `calls`.
template <class Name, Axes axis, bool calls, Expression X, class Back>
auto gathered_parts(X&& x, Group const& group, SourceLocation where, Back const& back)
    -> Resized<Name, axis, X> {
  return on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using R = Resized<Name, axis, V>;
        constexpr int at_axis = Chosen<axis, V>::value.axis();
        Call call = call_of(Name::name, axis.names.view(), value, where, -1, at_axis);
        if constexpr (calls) call = with_gradient_of(call, value);
        else note_reduction(value, group, call);
        agree(group, call);
        Division const by{group, at_axis, all_numbers(at(value.sizes(), at_axis), group)};
        return linear([=](V const& v) { return gathered<R>(v, by); },
                      [=](R const& dy, R const&, V const&) {
                        return back.template operator()<V>(dy, by, call);
                      },
                      value);
      },
      std::forward<X>(x));
}

}  // namespace mpi

/// The values of all ranks concatenated along an axis in rank order, on all ranks: the axis of
/// "batch d" gets the total size; sizes along it may differ between ranks and may be 0.
/// Differentiable. Throws `CommunicationError`. PyTorch: `all_gather_into_tensor`.
template <Axes axis, Expression X>
auto all_gather(X&& x, Group const& group,
                mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::Resized<mpi::AllGatherName, axis, X> {
  auto const back = []<class V>(auto const& dy, mpi::Division const& by, mpi::Call const&) {
    return mpi::part<V>(dy, by);
  };
  return mpi::gathered_parts<mpi::AllGatherName, axis, false>(std::forward<X>(x), group, where,
                                                              back);
}
template <Axes, class... X>
auto all_gather(X const&...) -> FirstMistake<X...>;

/// The local shard of a value that is replicated on all ranks: the axis is split as equally as
/// possible, the first ranks have one more entry. Differentiable: the backward is an all_gather.
/// Megatron: `scatter_to_tensor_model_parallel_region`.
template <Axes axis, Expression X>
auto part_of(X&& x, Group const& group, mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::Resized<mpi::PartOfName, axis, X> {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using R = mpi::Resized<mpi::PartOfName, axis, V>;
        constexpr int at_axis = Chosen<axis, V>::value.axis();
        auto const call = mpi::call_of("part_of", axis.names.view(), value, where);
        mpi::Division const by{group, at_axis,
                               mpi::parts_of(at(value.sizes(), at_axis), group.size())};
        return mpi::linear([=](V const& v) { return mpi::part<R>(v, by); },
                           [by, call](R const& dy, R const&, V const&) {
                             return mpi::gathered_back<V>(dy, by, call);
                           },
                           value);
      },
      std::forward<X>(x));
}
template <Axes, class... X>
auto part_of(X const&...) -> FirstMistake<X...>;

/// The local shard of the sum over all ranks: `part_of<axis>(all_reduce(x, group), group)` at half
/// the cost. Differentiable. Throws `CommunicationError`. PyTorch: `reduce_scatter_tensor`.
template <Axes axis, Expression X>
  requires NumType<typename Unqualified<X>::value_type>
auto reduce_scatter(X&& x, Group const& group,
                    mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::Resized<mpi::ReduceScatterName, axis, X> {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using R = mpi::Resized<mpi::ReduceScatterName, axis, V>;
        constexpr int at_axis = Chosen<axis, V>::value.axis();
        auto const call = mpi::with_gradient_of(
            mpi::call_of("reduce_scatter", axis.names.view(), value, where), value);
        mpi::agree(group, call);
        mpi::Division const by{group, at_axis,
                               mpi::parts_of(at(value.sizes(), at_axis), group.size())};
        return mpi::linear([=](V const& v) { return mpi::reduced_part<R>(v, by); },
                           [by, call](R const& dy, R const&, V const&) {
                             return mpi::gathered_back<V>(dy, by, call);
                           },
                           value);
      },
      std::forward<X>(x));
}
template <Axes, Expression X>
  requires(!NumType<typename Unqualified<X>::value_type>)
auto reduce_scatter(X&&, Group const&) ->
    typename decltype(dtype_mistake<mpi::ReduceScatterName, Unqualified<X>>())::type;
template <Axes, class... X>
auto reduce_scatter(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::internal

namespace tenon {

using internal::all_gather;
using internal::part_of;
using internal::reduce_scatter;

}  // namespace tenon
