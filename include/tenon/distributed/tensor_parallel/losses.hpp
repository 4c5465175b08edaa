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

/// Cross-entropy along the axis `classes`, averaged over all positions. Throws `IndexError`.
template <Axes classes, ShardType X, ShardType L>
auto cross_entropy_of_shards(X const& logits, L const& labels, mpi::SourceLocation where) {
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

/// Its result type, or the type that names the error.
template <Axes classes, class X, class L>
constexpr auto cross_entropy_type() {
  if constexpr (Expression<X> || Expression<L>) {
    return on_no_mesh<CrossEntropyName, X, L>();
  } else if constexpr (PartialShardType<X>) {
    return std::type_identity<error::value_is_partial_over<"cross_entropy", X::over, X::spec>>();
  } else if constexpr (!ShardType<X> || !ShardType<L>) {
    return std::type_identity<error::is_not_known_over_shards<spec_of_name<CrossEntropyName>,
                                                              first_shard_spec<X, L>()>>();
  } else {
    using M =
        RuleMistake<ClassLabels<CrossEntropyName, classes>, UnshardedTensor<X>, UnshardedTensor<L>>;
    if constexpr (!std::is_void_v<M>) return std::type_identity<M>();
    else if constexpr (!LabelsFit<classes, X, L>)
      return std::type_identity<error::shardings_differ<"cross_entropy", X::spec, L::spec>>();
    else
      return std::type_identity<decltype(cross_entropy_of_shards<classes>(
          std::declval<X const&>(), std::declval<L const&>(), mpi::SourceLocation()))>();
  }
}

template <Axes classes, class X, class L>
struct Dispatch<CrossEntropyCall<classes>, X const&, L const&> {
  using type = typename decltype(cross_entropy_type<classes, X, L>())::type;

  static type of(X const& logits, L const& labels, mpi::SourceLocation where) {
    return cross_entropy_of_shards<classes>(logits, labels, where);
  }
};

}  // namespace tenon::internal

namespace tenon {

using internal::all_reduce_if_partial;

}  // namespace tenon
