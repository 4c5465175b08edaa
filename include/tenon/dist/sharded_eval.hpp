#pragma once

#include <tenon/dist/over_shards.hpp>
#include <tenon/eval/evaluate.hpp>

namespace tenon {

/// No axes of a mesh.
struct OverNothing {
  static constexpr FixedText text{};
};

/// The value of a sharded recipe: each rank evaluates its part. What `unshard` gave is gathered.
template <ShardType X>
auto eval(X const& x) {
  if constexpr (requires { x.unchecked_local.template used<OverNothing>(); }) {
    using Local = typename X::local_type::Local;
    return Shard<Local, X::spec>{x.unchecked_local.template used<OverNothing>(), x.place};
  } else {
    return Shard<TensorOf<typename X::local_type>, X::spec>{eval(x.unchecked_local), x.place};
  }
}

/// The same of what is partial still.
template <PartialShardType X>
auto eval(X const& x) {
  using Local = TensorOf<typename X::local_type>;
  return PartialShard<Local, X::spec, X::over, typename X::fold>{eval(x.unchecked_local), x.place};
}

}  // namespace tenon
