#pragma once

#include <utility>

#include <tenon/distributed/sharding/dispatch.hpp>
#include <tenon/expr/reduction/mean.hpp>

/// Means of sharded tensors.
namespace tenon::internal {

/// A reduction of a sharded tensor: over a sharded axis the local results are partial, and the type
/// is a `PartialShard`: `all_reduce(sum<"batch">(x))`.
template <class Op, Axes axes, class X>
using ShardedReduction = Reduced<Op, axes, false, X>;

/// `x` divided by a number, with the same sharding; also for a partial sum.
template <class T, class E, Spec S>
auto divided_by(Shard<E, S> const& x, T number) {
  auto local = x.unchecked_local / number;
  return Shard<decltype(local), S>{local, x.place};
}
template <class T, class E, Spec S, Spec Over>
auto divided_by(PartialShard<E, S, Over, op::SumReduction> const& x, T number) {
  auto local = x.unchecked_local / number;
  return PartialShard<decltype(local), S, Over, op::SumReduction>{local, x.place};
}

template <Axes axes, class X, class... K>
constexpr auto sharded_mean_type() {
  using T = typename Unqualified<X>::value_type;
  using Sum = Reduced<op::SumReduction, axes, sizeof...(K) == 1, X>;
  if constexpr (!InexactType<T>)
    return std::type_identity<error::dtype_is_not_supported<"mean", spec_of_dtype<T>>>{};
  else if constexpr (IllFormed<Sum>) return std::type_identity<Sum>{};
  else return std::type_identity<decltype(divided_by(std::declval<Sum const&>(), Computed<T>()))>{};
}

/// The mean, partial if a sharded axis is averaged: `all_reduce` adds the parts, which are weighted
/// by the sizes of the shards.
template <Axes axes, AnyShard X, class... K>
  requires(sizeof...(K) < 2) && (std::same_as<Unqualified<K>, Keep> && ...)
struct Dispatch<MeanCall<axes>, X, K...> {
  using type = typename decltype(sharded_mean_type<axes, X, K...>())::type;

  static type of(X x, K... kept) {
    auto const number = reduced_elements<axes>(GlobalOperand<0, Unqualified<X>>::of(x));
    return divided_by(sum<axes>(std::forward<X>(x), kept...),
                      static_cast<Computed<typename Unqualified<X>::value_type>>(number));
  }
};

}  // namespace tenon::internal
