#pragma once

#include <tenon/distributed/communication/traffic.hpp>
#include <tenon/distributed/sharding/reshard.hpp>

/// The communication volume of a redistribution, computed without communicating.
namespace tenon::internal {

/// The number of elements of a tensor with `size` along one axis.
inline std::int64_t elements_with(Sizes sizes, int axis, std::int64_t size) {
  at(sizes, axis) = size;
  return count(sizes, max_rank);
}

/// The bytes moved by one step from the sharding of `X`.
template <class Step, class X>
mpi::TransferCounts transfers_of_step(Placement const& place) {
  constexpr ReshardStep const& step = Step::step;
  constexpr std::int64_t element = sizeof(typename X::value_type);
  Sizes const before = own_box<X::spec>(place).sizes;
  Sizes const after = own_box<ShardingBy<Step>::spec>(place).sizes;
  std::int64_t const had = count(before, max_rank), has = count(after, max_rank);
  int const others = group_of(place, step.over.view()).size() - 1;
  if (step.kind == ReshardStep::take_part || others == 0) return {};
  if (step.kind == ReshardStep::gather) return {1, element * had * others, element * (has - had)};
  std::int64_t const kept = elements_with(before, step.to, at(after, step.to));
  return {1, element * (had - kept), element * (has - kept)};
}

template <Spec To, class X>
mpi::TransferCounts bytes_of_resharding(Placement const& place) {
  using Step = Resharding<X, To>;
  if constexpr (Step::step.kind == ReshardStep::done) return {};
  else {
    using Next = Sharded<typename X::value_type, ShardingBy<Step>::spec, typename X::device>;
    return transfers_of_step<Step, X>(place) + bytes_of_resharding<To, Next>(place);
  }
}

/// The bytes that this rank sends and receives in `reshard<To>(x)`, and the number of collectives,
/// as `mpi::Traffic` counts them. Does not communicate.
template <Spec To, ShardType X>
  requires(lays_out(parsed_sharding<canonical_sharding<To>>.sharding, X::sharding.shape))
mpi::TransferCounts reshard_bytes(X const& x) {
  return bytes_of_resharding<canonical_sharding<To>, X>(x.place);
}
template <Spec To, ShardType X>
  requires(!lays_out(parsed_sharding<canonical_sharding<To>>.sharding, X::sharding.shape))
auto reshard_bytes(X const& x) -> error::sharding_does_not_fit<"reshard_bytes", To, X::spec>;

}  // namespace tenon::internal

namespace tenon {

using internal::reshard_bytes;

}  // namespace tenon
