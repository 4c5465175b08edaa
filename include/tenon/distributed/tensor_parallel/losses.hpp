#pragma once

#include <limits>
#include <utility>

#include <tenon/distributed/sharding/reduce_together.hpp>
#include <tenon/distributed/tensor_parallel/vocabulary.hpp>

namespace tenon::internal {

/// A sharded value without partial sums: `all_reduce(x)` of a partial value of any dtype and shape,
/// another sharded value unchanged. Differentiable. Throws `CommunicationError`. PyTorch:
/// `DTensor.redistribute` from `Partial` to `Replicate`.
template <AnyShard X>
auto all_reduce_if_partial(X const& x, mpi::SourceLocation where = mpi::SourceLocation::current()) {
  if constexpr (PartialShardType<X>) return all_reduce(x, where);
  else return x;
}

/// The sharding of labels: that of logits without the class axis.
template <class X, int axis>
struct LabelSharding {
  static constexpr Sharding sharding() {
    Sharding result{removed(X::sharding.shape, axis), {}};
    for (int i = 0; i < result.shape.rank; ++i) result[i] = X::sharding[i < axis ? i : i + 1];
    return result;
  }
};

/// Selects the element of each row of `x` at its label; partial if the class axis is sharded.
template <int axis, class X, class Labels>
auto picked_of_shards(X const& x, Labels const& labels) {
  constexpr auto spec = ShardingBy<LabelSharding<X, axis>>::spec;
  constexpr FixedText over = X::sharding[axis];
  constexpr auto mesh_axes = spec_from<over.length>(over.view());
  std::int64_t const classes = at(x.sizes(), axis);
  Placement const place = x.place.with_sizes(labels.sizes());
  auto const look_up = [](auto const& from, auto const& at) { return pick<axis>(from, at); };
  check_ids(CrossEntropyName::name, labels.unchecked_local, classes);
  AxisPart const own = part_of_axis(place, over.view(), classes);
  auto local = found_here<axis, 0>(x.unchecked_local, labels.unchecked_local, own, look_up);
  using Local = decltype(local);
  if constexpr (over.empty()) return Shard<Local, spec>{std::move(local), place};
  else return PartialShard<Local, spec, mesh_axes, op::SumReduction>{std::move(local), place};
}

/// The log of sums minus the selected logits: partial sums of both are reduced in one collective.
template <class Sums, class Picked>
auto log_less(Sums const& sums, Picked const& picked, mpi::SourceLocation where) {
  if constexpr (PartialShardType<Sums> && Sums::device::is_host) {
    auto const [all, own] = reduced_together(sums, picked, where);
    return log(all) - own;
  } else {
    return log(all_reduce_if_partial(sums, where)) - all_reduce_if_partial(picked, where);
  }
}

/// Whether the labels are sharded as the logits are.
template <Axes classes, class X, class L>
concept LabelsFit = divided_alike(
    LabelSharding<X, choose(X::sharding.shape, classes).axis()>::sharding(), L::sharding);

/// Cross entropy: -log softmax along the axis `classes` at the label, averaged over all positions;
/// also if classes are sharded: no rank stores a complete row. Throws `IndexError`. Megatron:
/// `vocab_parallel_cross_entropy`.
template <Axes classes, ShardType X, ShardType L>
  requires std::is_void_v<
               LabelsMistake<CrossEntropyName, classes, UnshardedTensor<X>, UnshardedTensor<L>>> &&
           LabelsFit<classes, X, L>
auto cross_entropy(X const& logits, L const& labels,
                   mpi::SourceLocation where = mpi::SourceLocation::current()) {
  using T = typename X::value_type;
  constexpr int axis = choose(X::sharding.shape, classes).axis();
  using Value = Sharded<T, X::spec, typename X::device>;
  Value const all = logits;
  auto const largest = all_reduce_if_partial(max<classes>(stop_gradient(all), keep), where);
  auto const infinite = abs(largest) == std::numeric_limits<T>::infinity();
  auto const shift = tenon::where(infinite, T(0), largest);
  Value const y = all - shift;
  auto const rows = log_less(sum<classes>(exp(y)), picked_of_shards<axis>(y, labels), where);
  return all_reduce_if_partial(mean(rows), where);
}
template <
    Axes classes, ShardType X, ShardType L,
    class M = LabelsMistake<CrossEntropyName, classes, UnshardedTensor<X>, UnshardedTensor<L>>>
  requires(!std::is_void_v<M>)
auto cross_entropy(X const& logits, L const& labels) -> M;
template <Axes classes, ShardType X, ShardType L>
  requires std::is_void_v<
               LabelsMistake<CrossEntropyName, classes, UnshardedTensor<X>, UnshardedTensor<L>>> &&
           (!LabelsFit<classes, X, L>)
auto cross_entropy(X const& logits, L const& labels)
    -> error::shardings_differ<"cross_entropy", X::spec, L::spec>;

template <Axes, class X, class L, class R = OnNoMesh<CrossEntropyName, X, L>>
auto cross_entropy(X const& logits, L const& labels) -> R;
template <Axes, PartialShardType X, AnyShard L>
auto cross_entropy(X const& logits, L const& labels)
    -> error::value_is_partial_over<"cross_entropy", X::over, X::spec>;

}  // namespace tenon::internal

namespace tenon {

using internal::all_reduce_if_partial;
using internal::cross_entropy;

}  // namespace tenon
