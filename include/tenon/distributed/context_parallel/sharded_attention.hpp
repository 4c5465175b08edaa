#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <tenon/distributed/context_parallel/blockwise_attention.hpp>
#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/distributed/sharding/sharded.hpp>

/// Attention of sharded tensors: batch, heads and sequence may be sharded, features may not.
namespace tenon::internal {

/// Matching axes are sharded alike.
constexpr PropagatedSharding divided_together(std::string_view operation, Sharding const& a,
                                              Sharding const& b) {
  for (int i = 0; i < a.shape.rank; ++i) {
    if (!(a[i] == b[i]))
      return propagation_error(DivisionMistake::axes_differ, operation, axis_text(a, i),
                               axis_text(b, i));
  }
  return {};
}

/// The error of the shardings of queries, keys and values, if any.
constexpr PropagatedSharding propagate_attention(std::string_view operation, Sharding const& q,
                                                 Sharding const& k, Sharding const& v) {
  for (auto const& pair : {divided_together(operation, q, k), divided_together(operation, k, v)})
    if (!pair.fits()) return pair;
  if (q[3].empty()) return {};
  return propagation_error(DivisionMistake::axis_is_divided, operation, axis_text(q, 3));
}

template <class Name, class Q, class K, class V>
struct AttentionDivision {
  static constexpr PropagatedSharding propagated =
      propagate_attention(Name::name, Q::sharding, K::sharding, V::sharding);
  static constexpr auto first = spec_from<propagated.first.length>(propagated.first.view());
  static constexpr auto second = spec_from<propagated.second.length>(propagated.second.view());
};

template <class X>
constexpr auto partial_axes() {
  if constexpr (PartialShardType<X>) return X::over;
  else return Spec<1>("");
}
template <class First, class... Rest>
constexpr auto first_partial_axes() {
  if constexpr (PartialShardType<First> || sizeof...(Rest) == 0) return partial_axes<First>();
  else return first_partial_axes<Rest...>();
}

/// The error type for three sharded operands; void for none.
template <class Name, class Q, class K, class V>
constexpr auto attention_mistake() {
  constexpr auto name = spec_of_name<Name>;
  using OfKeys = ScoresOf<typename GlobalOperand<0, Q>::type, typename GlobalOperand<1, K>::type>;
  using OfValues = ScoresOf<typename GlobalOperand<0, Q>::type, typename GlobalOperand<1, V>::type>;
  if constexpr ((PartialShardType<Q> || PartialShardType<K> || PartialShardType<V>))
    return std::type_identity<error::value_is_partial_over<name, first_partial_axes<Q, K, V>(),
                                                           Q::spec, K::spec, V::spec>>{};
  else if constexpr (IllFormed<OfKeys>) return std::type_identity<OfKeys>{};
  else if constexpr (IllFormed<OfValues>) return std::type_identity<OfValues>{};
  else {
    using At = AttentionDivision<Name, Q, K, V>;
    constexpr DivisionMistake mistake = At::propagated.mistake;
    if constexpr (mistake == DivisionMistake::axes_differ)
      return std::type_identity<
          error::shardings_differ<name, At::first, At::second, Q::spec, K::spec, V::spec>>{};
    else if constexpr (mistake == DivisionMistake::axis_is_divided)
      return std::type_identity<
          error::axis_is_divided_reshard_first<name, At::first, Q::spec, K::spec, V::spec>>{};
    else return std::type_identity<void>{};
  }
}

template <class Name, class... X>
  requires(AnyShard<X> && ...)
using AttentionMistake = typename decltype(attention_mistake<Name, X...>())::type;

/// Each rank attends with its shards; if the sequence is sharded, by ring attention over its ranks.
/// (`ring_attention` is defined where MPI is included.)
template <bool is_causal, class Q, class K, class V>
auto attended_over_shards(Q const& q, K const& k, V const& v) {
  using Own = TensorOf<typename Q::local_type>;
  using Block = TensorOf<typename K::local_type>;
  constexpr FixedText over = Q::sharding[1];
  Placement const place = common_place(q, k, v).with_sizes(q.sizes());
  Own const queries = q.unchecked_local;
  Block const keys = k.unchecked_local,
              values = TensorOf<typename V::local_type>(v.unchecked_local);
  auto const attend = [&]() -> Own {
    if constexpr (!over.empty() && is_causal)
      return ring_attention(place, over.view(), queries, keys, values, Causal());
    else if constexpr (!over.empty())
      return ring_attention(place, over.view(), queries, keys, values);
    else if constexpr (is_causal) return causal_attention(queries, keys, values);
    else return full_attention(queries, keys, values);
  };
  return Shard<Own, Q::spec>{attend(), place};
}

template <class Name, class... X>
constexpr auto sharded_attention_type() {
  if constexpr ((Expression<X> || ...)) return on_no_mesh<Name, X...>();
  else {
    using mistake = AttentionMistake<Name, Unqualified<X>...>;
    if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
    else return std::type_identity<decltype(attended_over_shards<true>(std::declval<X>()...))>{};
  }
}

template <class Name, class Q, class K, class V>
struct ShardedAttention {
  using type = typename decltype(sharded_attention_type<Name, Q, K, V>())::type;

  static type of(Q q, K k, V v) {
    return attended_over_shards<std::same_as<Name, CausalAttentionName>>(q, k, v);
  }
};

/// `causal_attention` of sharded tensors: queries "batch@dp query@cp head=4@tp feature=16", keys
/// and values "batch@dp key@cp head=4@tp feature=16". If the sequence is sharded, keys and values
/// circulate among its ranks (see `ring_attention`, whose header has to be included). Megatron:
/// context parallelism.
template <class Q, class K, class V>
struct Dispatch<CausalAttentionName, Q, K, V> : ShardedAttention<CausalAttentionName, Q, K, V> {};
template <class Q, class K, class V>
struct Dispatch<FullAttentionName, Q, K, V> : ShardedAttention<FullAttentionName, Q, K, V> {};

}  // namespace tenon::internal
