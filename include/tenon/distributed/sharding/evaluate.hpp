#pragma once

#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/eval/evaluate.hpp>

namespace tenon::internal {

/// An empty list of mesh axes.
struct OverNothing {
  static constexpr FixedText text{};
};

/// Materializes a sharded expression: each rank evaluates its shard. Operands of `unshard` are
/// gathered.
template <ShardType X>
auto evaluated_shard(X const& x) {
  if constexpr (requires { x.unchecked_local.template used<OverNothing>(); }) {
    using Local = typename X::local_type::Local;
    return Shard<Local, X::spec>{x.unchecked_local.template used<OverNothing>(), x.place};
  } else {
    return Shard<TensorOf<typename X::local_type>, X::spec>{eval(x.unchecked_local), x.place};
  }
}

/// The same for a partial value.
template <PartialShardType X>
auto evaluated_shard(X const& x) {
  using Local = TensorOf<typename X::local_type>;
  return PartialShard<Local, X::spec, X::over, typename X::reduction>{eval(x.unchecked_local),
                                                                      x.place};
}

template <AnyShard X>
struct Dispatch<Named<"eval">, X> {
  using type = decltype(evaluated_shard(std::declval<X>()));

  static type of(X x) { return evaluated_shard(x); }
};

}  // namespace tenon::internal
