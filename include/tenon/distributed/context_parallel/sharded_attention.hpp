#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <tenon/distributed/context_parallel/blockwise_attention.hpp>
#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/nn/scaled_dot_product_attention.hpp>

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

template <class Q, class K, class V>
struct AttentionDivision {
  static constexpr PropagatedSharding propagated = propagate_attention(
      ScaledDotProductAttentionName::name, Q::sharding, K::sharding, V::sharding);
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

/// The error type for the shardings of three operands that fit otherwise; void for none.
template <class Q, class K, class V>
constexpr auto attention_division_mistake() {
  using At = AttentionDivision<Q, K, V>;
  constexpr auto name = spec_of_name<ScaledDotProductAttentionName>;
  constexpr DivisionMistake mistake = At::propagated.mistake;
  if constexpr (mistake == DivisionMistake::axes_differ)
    return std::type_identity<
        error::shardings_differ<name, At::first, At::second, Q::spec, K::spec, V::spec>>{};
  else if constexpr (mistake == DivisionMistake::axis_is_divided)
    return std::type_identity<
        error::axis_is_divided_reshard_first<name, At::first, Q::spec, K::spec, V::spec>>{};
  else return std::type_identity<void>{};
}

/// The error type for three sharded operands; void for none.
template <class Q, class K, class V, class... Options>
constexpr auto attention_mistake() {
  constexpr auto name = spec_of_name<ScaledDotProductAttentionName>;
  using Mistake =
      ScaledAttentionMistake<typename GlobalOperand<0, Q>::type, typename GlobalOperand<1, K>::type,
                             typename GlobalOperand<2, V>::type, Options...>;
  if constexpr (PartialShardType<Q> || PartialShardType<K> || PartialShardType<V>)
    return std::type_identity<error::value_is_partial_over<name, first_partial_axes<Q, K, V>(),
                                                           Q::spec, K::spec, V::spec>>{};
  else if constexpr (!std::is_void_v<Mistake>) return std::type_identity<Mistake>{};
  else if constexpr (Q::sharding.shape.rank != 4)
    return std::type_identity<
        error::wrong_number_of_axes<name, Q::spec, 4, Q::sharding.shape.rank>>{};
  else return attention_division_mistake<Q, K, V>();
}

/// Each rank attends with its shards; if the sequence is sharded, by ring attention over its ranks.
/// (`ring_attention` is defined where MPI is included.)
template <class Q, class K, class V, class... Option>
auto attend_over_shards(Q const& q, K const& k, V const& v, Option const&... option) {
  using Own = TensorOf<typename Q::local_type>;
  constexpr FixedText over = Q::sharding[2];
  Placement const place = common_place(q, k, v).with_sizes(q.sizes());
  auto const attend = [&]() -> Own {
    auto const& queries = q.unchecked_local;
    auto const& keys = k.unchecked_local;
    auto const& values = v.unchecked_local;
    if constexpr (over.empty())
      return scaled_dot_product_attention(queries, keys, values, option...);
    else {
      using Block = TensorOf<decltype(keys_before_heads(keys))>;
      Block const block = keys_before_heads(keys), of_values = keys_before_heads(values);
      return rearrange<"batch query head feature -> batch head query feature">(ring_attention(
          place, over.view(), eval(queries_before_heads(queries)), block, of_values, option...));
    }
  };
  return Shard<Own, Q::spec>{attend(), place};
}

template <class Q, class K, class V, class... Options>
constexpr auto sharded_attention_type() {
  using Name = ScaledDotProductAttentionName;
  if constexpr (Expression<Q> || Expression<K> || Expression<V>) return on_no_mesh<Name, Q, K, V>();
  else if constexpr (!(std::same_as<Options, IsCausal> && ...))
    return std::type_identity<error::is_not_known_over_shards<
        "scaled_dot_product_attention with options other than is_causal", Q::spec>>{};
  else {
    using mistake = typename decltype(attention_mistake<Q, K, V, Options...>())::type;
    if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
    else
      return std::type_identity<decltype(attend_over_shards(
          std::declval<Q>(), std::declval<K>(), std::declval<V>(), std::declval<Options>()...))>{};
  }
}

/// `scaled_dot_product_attention` of sharded tensors, "batch@dp head=4@tp query@cp feature=16" and
/// twice "batch@dp head=4@tp key@cp feature=16", all keys or `is_causal`. If the sequence is
/// sharded, keys and values circulate among its ranks (see `ring_attention`, whose header has to be
/// included). Megatron: context parallelism.
template <class Q, class K, class V, class... Options>
struct Dispatch<ScaledDotProductAttentionName, Q, K, V, Options...> {
  using type =
      typename decltype(sharded_attention_type<Unqualified<Q>, Unqualified<K>, Unqualified<V>,
                                               Unqualified<Options>...>())::type;

  static type of(Q q, K k, V v, Options... options) {
    return attend_over_shards(q, k, v, options...);
  }
};

}  // namespace tenon::internal
