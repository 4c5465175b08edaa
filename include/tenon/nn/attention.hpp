#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/eval/attention_by_query.hpp>
#include <tenon/nn/attention_fit.hpp>
#include <tenon/nn/attention_products.hpp>

namespace tenon::internal {

template <bool is_causal, TensorType Q, TensorType K>
AttentionNumbers attention_numbers(Q const& q, K const& k) {
  Sizes const sizes = q.sizes();
  return {at(sizes, 0) * at(sizes, 2),
          at(sizes, 2),
          at(sizes, 1),
          at(k.sizes(), 1),
          at(sizes, 3),
          is_causal,
          static_cast<double>(attention_scale(q))};
}

/// Whether a query, key or value is not finite and masked for some positions.
template <bool is_causal, TensorType... X>
bool hides_infinite(X const&... x) {
  if constexpr (!is_causal) return false;
  else return !(all_finite(stored_elements(x), x.size()) && ...);
}

/// Attention on the host: by a fused kernel, where it has one, else by matmuls and softmax. (The
/// result has the axes of the queries.)
template <bool is_causal, TensorType Q, TensorType K>
Q attended_on_host(Q const& q, K const& k, K const& v) {
  bool const in_graph = any_joins_graph(q, k, v), hides = hides_infinite<is_causal>(q, k, v);
  if (hides && !in_graph) return attended_by_query(attention_numbers<is_causal>(q, k), q, k, v);
  if constexpr (AttendsAtOnce<Q>)
    if (!in_graph) return attended_at_once(attention_numbers<is_causal>(q, k), q, k, v);
  std::int64_t const at_once = hides ? 1 : queries_at_once;
  return relabelled<Q>(attended_in_blocks<is_causal>(q, k, v, 0, at(q.sizes(), 1), at_once));
}

/// Attention on a device: by a fused kernel, where it has one.
template <bool is_causal, TensorType Q, TensorType K>
Q attended_on_device(Q const& q, K const& k, K const& v) {
  if constexpr (Q::device::is_host) {
    return attended_on_host<is_causal>(q, k, v);
  } else if constexpr (AttendsAtOnce<Q>) {
    if (any_joins_graph(q, k, v)) return attended_in_graph<is_causal>(q, k, v);
    return attended_at_once(attention_numbers<is_causal>(q, k), q, k, v);
  } else {
    return relabelled<Q>(attended_in_blocks<is_causal>(q, k, v, 0, at(q.sizes(), 1)));
  }
}

/// Attention of tensors whose shapes fit; checks run-time sizes.
template <class Name, bool is_causal, TensorType Q, TensorType K, TensorType V>
Q attention_of(Q const& q, K const& k, V const& v) {
  if (is_causal) check_positions(at(q.sizes(), 1), at(k.sizes(), 1), "key", Name::name);
  check_positions(at(k.sizes(), 1), at(v.sizes(), 1), "value", Name::name,
                  is_causal ? "queries" : "keys");
  check_attention_axes(Name::name, q, k);
  check_attention_axes(Name::name, k, v);
  if (tracing::is_on()) {
    std::array<std::int64_t, 1> const numbers{is_causal};
    return tracing::called(
        "attention", q.sizes(), numbers, [&] { return attention_of<Name, is_causal>(q, k, v); }, q,
        k, v);
  }
  using Keys = AttentionRows<K, "key">;
  return relabelled<Q>(attended_on_device<is_causal>(relabelled<AttentionRows<Q, "query">>(q),
                                                     relabelled<Keys>(k), relabelled<Keys>(v)));
}

/// Causal attention, softmax(q kᵀ / sqrt(feature)) v over the keys at and before the position of
/// each query: "batch query head feature" and twice "batch key head feature", by position, with any
/// names; the result has the axes of the queries. Masked keys and values, even NaN, affect neither
/// the result nor the gradient. Throws `ShapeError` where the lengths differ. PyTorch:
/// `scaled_dot_product_attention(is_causal=True)`.
template <Expression Q, Expression K, Expression V>
  requires std::is_void_v<AttentionOperandsMistake<CausalAttentionName, true, Q, K, V>>
auto causal_attention(Q const& q, K const& k, V const& v) {
  return attention_of<CausalAttentionName, true>(evaluate_expression(q), evaluate_expression(k),
                                                 evaluate_expression(v));
}
template <Expression Q, Expression K, Expression V,
          class R = AttentionOperandsMistake<CausalAttentionName, true, Q, K, V>>
  requires(!std::is_void_v<R>)
auto causal_attention(Q const& q, K const& k, V const& v) -> R;
template <class... X>
  requires Dispatches<CausalAttentionName, X&&...>
auto causal_attention(X&&... x) {
  return Dispatch<CausalAttentionName, X&&...>::of(std::forward<X>(x)...);
}
template <class... X, class R = Refused<CausalAttentionName, X...>>
auto causal_attention(X const&...) -> R;

/// The same with all keys for every query; their number may differ from that of the queries
/// (cross-attention). PyTorch: `scaled_dot_product_attention`. Throws `ShapeError` where keys and
/// values differ in number.
template <Expression Q, Expression K, Expression V>
  requires std::is_void_v<AttentionOperandsMistake<FullAttentionName, false, Q, K, V>>
auto full_attention(Q const& q, K const& k, V const& v) {
  return attention_of<FullAttentionName, false>(evaluate_expression(q), evaluate_expression(k),
                                                evaluate_expression(v));
}
template <Expression Q, Expression K, Expression V,
          class R = AttentionOperandsMistake<FullAttentionName, false, Q, K, V>>
  requires(!std::is_void_v<R>)
auto full_attention(Q const& q, K const& k, V const& v) -> R;
template <class... X>
  requires Dispatches<FullAttentionName, X&&...>
auto full_attention(X&&... x) {
  return Dispatch<FullAttentionName, X&&...>::of(std::forward<X>(x)...);
}
template <class... X, class R = Refused<FullAttentionName, X...>>
auto full_attention(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::causal_attention;
using internal::full_attention;

}  // namespace tenon
