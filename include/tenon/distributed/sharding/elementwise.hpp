#pragma once

#include <utility>

#include <tenon/distributed/sharding/abstract_evaluation.hpp>

namespace tenon::internal {

/// An elementwise op as a function object.
template <class Op>
struct MapCall {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(map<Op>(std::forward<X>(x)...)) {
    return map<Op>(std::forward<X>(x)...);
  }
};

/// All elementwise functions and operators of sharded tensors and numbers: `a + b`, `relu(x)`.
/// Matching axes are sharded alike.
template <class Op, class... X, WellFormed R = ShardedResult<Op, MapCall<Op>, X&&...>>
auto map(X&&... x) -> R {
  return over_shards<R>(MapCall<Op>(), std::forward<X>(x)...);
}
template <class Op, class... X, IllFormed R = ShardedResult<Op, MapCall<Op>, X&&...>>
auto map(X&&... x) -> R;

/// The error type for the first operand that is a plain tensor.
template <class Op, class First, class... Rest>
constexpr auto on_no_mesh() {
  if constexpr (Expression<First>)
    return std::type_identity<
        error::tensor_is_on_no_mesh<spec_of_name<Op>, spec_of<Unqualified<First>>>>{};
  else return on_no_mesh<Op, Rest...>();
}

template <class Op, class... X>
  requires(AnyShard<X> || ...) && (Expression<X> || ...)
using OnNoMesh = typename decltype(on_no_mesh<Op, X...>())::type;

template <class Op, class... X, class R = OnNoMesh<Op, X...>>
auto map(X&&... x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::map;

}  // namespace tenon
