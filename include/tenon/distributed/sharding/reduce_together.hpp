#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/eval/custom.hpp>

/// Two sums over ranks in one collective: for small tensors latency dominates.
namespace tenon::internal {

template <class X, class Y>
struct TwoValues {
  X first;
  Y second;
};

/// The sums over all ranks of two tensors, in one message. Differentiable.
template <TensorType X, TensorType Y>
  requires std::same_as<typename X::value_type, typename Y::value_type>
TwoValues<X, Y> summed_together(X const& x, Y const& y, Group const& group,
                                mpi::SourceLocation where) {
  using T = typename X::value_type;
  using Both = TwoValues<X, Y>;
  auto const forward = [&](X a, Y b) {
    using Flat = Tensor<T, "n">;
    Flat both = Flat::uninitialised(Flat::with_run_time_sizes({a.size() + b.size()}));
    std::copy_n(b.data(), b.size(), std::copy_n(a.data(), a.size(), both.own_memory()));
    auto call = mpi::call_of("reduced_together", {}, both, where);
    call.rank = 2, at(call.sizes, 0) = a.size(), at(call.sizes, 1) = b.size();
    both = mpi::reduced<op::sum>(std::move(both), group, call);
    std::copy_n(both.data(), a.size(), a.own_memory());
    std::copy_n(both.data() + a.size(), b.size(), b.own_memory());
    return Both{std::move(a), std::move(b)};
  };
  auto const backward = [](Both const& adjoint, Both const&, X const&, Y const&) {
    return std::tuple(adjoint.first, adjoint.second);
  };
  return custom_vjp(forward, backward)(x, y);
}

/// `all_reduce` of two partial sums over the same mesh axes, in one collective.
template <PartialShardType X, PartialShardType Y>
  requires(X::over.view() == Y::over.view()) && X::device::is_host &&
          std::same_as<typename X::reduction, op::SumReduction> &&
          std::same_as<typename Y::reduction, op::SumReduction>
auto reduced_together(X const& x, Y const& y,
                      mpi::SourceLocation where = mpi::SourceLocation::current()) {
  auto both = summed_together(eval(x.unchecked_local), eval(y.unchecked_local),
                              group_of(x.place, X::over.view()), where);
  using First = Shard<decltype(both.first), X::spec>;
  using Second = Shard<decltype(both.second), Y::spec>;
  return std::pair(First{std::move(both.first), x.place}, Second{std::move(both.second), y.place});
}

}  // namespace tenon::internal
