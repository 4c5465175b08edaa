#pragma once

#include <utility>

#include <tenon/core/dispatch.hpp>
#include <tenon/distributed/sharding/along_axes.hpp>
#include <tenon/expr/reduction/reduction.hpp>

/// Every function of sharded tensors: what the function returns for operands without elements, and
/// sharding propagation through that, give the type of its result; each rank computes it from its
/// local shards. A function that is applied to nothing but whole tensors is refused: use
/// `on_shards` if the required axes are not sharded, or `unshard`.
namespace tenon::internal {

template <class E, Spec S>
inline constexpr bool is_dispatched<Shard<E, S>> = true;
template <class E, Spec S, Spec Over, class By>
inline constexpr bool is_dispatched<PartialShard<E, S, Over, By>> = true;

/// The function that is applied to shards.
template <class Call, class... X>
struct FunctionOfShards : std::type_identity<Call> {};
template <class Call, class... X>
  requires KeepsAxes<Call, X...>
struct FunctionOfShards<Call, X...> : std::type_identity<Regrouping<Call>> {};

/// Whether a call is applied to such arguments.
template <class Call, class... X>
concept AppliesTo = requires {
  typename AbstractResult<typename FunctionOfShards<Call, X...>::type, Unqualified<X>...>;
};

/// The name of a function in the error that refuses it: "logsumexp", or "logsumexp with keep".
template <class Call, class... X>
struct RefusedName {
  static constexpr FixedText text = FixedText(Call::name);
};
template <class Call, class X, class K>
  requires std::same_as<Unqualified<K>, Keep> && AppliesTo<Call, X>
struct RefusedName<Call, X, K> {
  static constexpr FixedText text = FixedText(Call::name).append(" with keep");
};

template <class First, class... Rest>
constexpr auto first_shard_spec() {
  if constexpr (AnyShard<First>) return Unqualified<First>::spec;
  else return first_shard_spec<Rest...>();
}

/// The error type for the first operand that is a plain tensor.
template <class Call, class First, class... Rest>
constexpr auto on_no_mesh() {
  if constexpr (Expression<First>)
    return std::type_identity<
        error::tensor_is_on_no_mesh<spec_of_name<Call>, spec_of<Unqualified<First>>>>{};
  else return on_no_mesh<Call, Rest...>();
}

template <class Call, class... X>
  requires(AnyShard<X> || ...) && (Expression<X> || ...)
using OnNoMesh = typename decltype(on_no_mesh<Call, X...>())::type;

/// The result type, or an error type.
template <class Call, class... X>
constexpr auto dispatched_to_shards() {
  if constexpr (!AppliesTo<Call, X...>)
    return std::type_identity<error::is_not_known_over_shards<spec_of_text<RefusedName<Call, X...>>,
                                                              first_shard_spec<X...>()>>{};
  else if constexpr ((Expression<X> || ...)) return on_no_mesh<Call, X...>();
  else return over_shards_type<Call, typename FunctionOfShards<Call, X...>::type, X...>();
}

template <class Call, class... X>
struct Dispatch {
  using type = typename decltype(dispatched_to_shards<Call, X...>())::type;

  static type of(X... x) {
    return over_shards<type>(typename FunctionOfShards<Call, X...>::type(), std::forward<X>(x)...);
  }
};

}  // namespace tenon::internal
