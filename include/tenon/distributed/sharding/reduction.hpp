#pragma once

#include <utility>

#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/distributed/sharding/elementwise.hpp>
#include <tenon/expr/reduction/mean.hpp>

/// Reductions of sharded tensors. Over a sharded axis the local results are partial, and the result
/// type is a `PartialShard`: `all_reduce(sum<"batch">(x))`.
namespace tenon::internal {

/// A reduction as a function object. (A local shard may be empty, also for `max`.)
template <class Op, Axes axes, bool keeps>
struct ReductionCall {
  template <class X>
  constexpr auto operator()(X&& x) const
      -> decltype(reduction<Op, axes, keeps>(std::forward<X>(x))) {
    return reduction<Op, axes, keeps>(std::forward<X>(x));
  }
};

template <class Op, Axes axes, bool keeps, class X>
using ShardedReduction = ShardedResult<Op, ReductionCall<Op, axes, keeps>, X>;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::SumReduction, axes, false, X&&>>
auto sum(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::SumReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::SumReduction, axes, false, X&&>>
auto sum(X&& x) -> R;
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::SumReduction, axes, true, X&&>>
auto sum(X&& x, Keep) -> R {
  return over_shards<R>(ReductionCall<op::SumReduction, axes, true>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::SumReduction, axes, true, X&&>>
auto sum(X&& x, Keep) -> R;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::ProdReduction, axes, false, X&&>>
auto prod(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::ProdReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::ProdReduction, axes, false, X&&>>
auto prod(X&& x) -> R;
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::ProdReduction, axes, true, X&&>>
auto prod(X&& x, Keep) -> R {
  return over_shards<R>(ReductionCall<op::ProdReduction, axes, true>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::ProdReduction, axes, true, X&&>>
auto prod(X&& x, Keep) -> R;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::MaxReduction, axes, false, X&&>>
auto(max)(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::MaxReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::MaxReduction, axes, false, X&&>>
auto(max)(X&& x) -> R;
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::MaxReduction, axes, true, X&&>>
auto(max)(X&& x, Keep) -> R {
  return over_shards<R>(ReductionCall<op::MaxReduction, axes, true>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::MaxReduction, axes, true, X&&>>
auto(max)(X&& x, Keep) -> R;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::MinReduction, axes, false, X&&>>
auto(min)(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::MinReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::MinReduction, axes, false, X&&>>
auto(min)(X&& x) -> R;
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::MinReduction, axes, true, X&&>>
auto(min)(X&& x, Keep) -> R {
  return over_shards<R>(ReductionCall<op::MinReduction, axes, true>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::MinReduction, axes, true, X&&>>
auto(min)(X&& x, Keep) -> R;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::AnyReduction, axes, false, X&&>>
auto any(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::AnyReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::AnyReduction, axes, false, X&&>>
auto any(X&& x) -> R;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::AllReduction, axes, false, X&&>>
auto all(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::AllReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::AllReduction, axes, false, X&&>>
auto all(X&& x) -> R;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::ArgmaxReduction, axes, false, X&&>>
auto argmax(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::ArgmaxReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::ArgmaxReduction, axes, false, X&&>>
auto argmax(X&& x) -> R;

template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::ArgminReduction, axes, false, X&&>>
auto argmin(X&& x) -> R {
  return over_shards<R>(ReductionCall<op::ArgminReduction, axes, false>(), std::forward<X>(x));
}
template <Axes axes = every, AnyShard X,
          IllFormed R = ShardedReduction<op::ArgminReduction, axes, false, X&&>>
auto argmin(X&& x) -> R;

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

/// The mean; partial if a sharded axis is averaged: `all_reduce` adds the parts, which are weighted
/// by the sizes of the shards.
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::SumReduction, axes, false, X&&>>
  requires InexactType<typename Unqualified<X>::value_type>
auto mean(X&& x) {
  using T = Computed<typename Unqualified<X>::value_type>;
  auto const number = reduced_elements<axes>(GlobalOperand<0, Unqualified<X>>::of(x));
  return divided_by(sum<axes>(std::forward<X>(x)), static_cast<T>(number));
}
template <Axes axes = every, AnyShard X,
          WellFormed R = ShardedReduction<op::SumReduction, axes, true, X&&>>
  requires InexactType<typename Unqualified<X>::value_type>
auto mean(X&& x, Keep) {
  using T = Computed<typename Unqualified<X>::value_type>;
  auto const number = reduced_elements<axes>(GlobalOperand<0, Unqualified<X>>::of(x));
  return divided_by(sum<axes>(std::forward<X>(x), keep), static_cast<T>(number));
}
template <Axes axes = every, AnyShard X, std::same_as<Keep>... K,
          IllFormed R = ShardedReduction<op::SumReduction, axes, false, X&&>>
auto mean(X&& x, K...) -> R;
template <Axes axes = every, AnyShard X, std::same_as<Keep>... K>
  requires(!InexactType<typename Unqualified<X>::value_type>)
auto mean(X&&, K...)
    -> error::dtype_is_not_supported<"mean", spec_of_dtype<typename Unqualified<X>::value_type>>;

}  // namespace tenon::internal

namespace tenon {

using internal::all;
using internal::any;
using internal::argmax;
using internal::argmin;
using internal::max;
using internal::mean;
using internal::min;
using internal::prod;
using internal::sum;

}  // namespace tenon
