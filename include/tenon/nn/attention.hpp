#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <tenon/eval/attention.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/fold/normalise.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/move/slice.hpp>
#include <tenon/nn/linear.hpp>

namespace tenon {

/// The rows of a layer with their features in heads: "batch key head=4 feature=16".
template <Spec SetPosition, std::int64_t heads, std::int64_t features>
struct RowsInHeads {
  static constexpr Shape shape = [] {
    Shape result{};
    result[result.rank++] = named_axis("batch");
    result[result.rank++] = named_axis(SetPosition);
    result[result.rank++] = named_axis("head", heads);
    result[result.rank++] = named_axis("feature", features);
    return result;
  }();
};

/// "… t embed" with its last axis in heads, all leading axes one. Nothing is copied.
template <TensorType Heads, Expression X>
Heads in_heads(X const& x) {
  Sizes const from = x.sizes();
  Sizes to = static_sizes(Heads::shape);
  at(to, 1) = at(from, X::shape.rank - 2);
  at(to, 0) = count(from, X::shape.rank - 2);
  return reshaped<Heads>(evaluate(x), to);
}

/// Which keys a query may see, "query key", for the queries from `begin` to before `end` and the
/// keys before `end`: those at its own position and before it.
template <class D = Cpu>
auto causal_mask(std::int64_t begin, std::int64_t end) {
  auto const query = iota<Int32<"query 1", D>>(end - begin);
  auto const key = iota<Int32<"key", D>>(end);
  return key <= query + static_cast<std::int32_t>(begin);
}

/// What scores are multiplied by.
template <TensorType Q>
Computed<typename Q::value_type> attention_scale(Q const& q) {
  using T = Computed<typename Q::value_type>;
  return T(1) / std::sqrt(static_cast<T>(at(q.sizes(), 3)));
}

/// Scores as weights of values; `seen` says which keys count, or is `AllKeys`.
struct AllKeys {};
template <Expression Scores>
auto weights_of(Scores const& scores, AllKeys) {
  return softmax<"key">(scores);
}
template <Expression Scores, Expression Seen>
auto weights_of(Scores const& scores, Seen const& seen) {
  using T = typename Scores::value_type;
  return softmax<"key">(where(seen, scores, -std::numeric_limits<Computed<T>>::infinity()));
}

/// The keys before `end` that the queries from `begin` on see.
template <bool is_causal, class D>
auto seen_keys(std::int64_t begin, std::int64_t end) {
  if constexpr (is_causal) return causal_mask<D>(begin, end);
  else return AllKeys();
}

template <TensorType Q, TensorType K>
auto scores_of(Q const& q, K const& k) {
  return einsum<"batch query head feature, batch key head feature -> batch head query key">(q, k);
}
template <TensorType W, TensorType V>
auto gathered(W const& weights, V const& v) {
  return einsum<"batch head query key, batch key head feature -> batch query head feature">(weights,
                                                                                            v);
}

/// What the queries from `begin` to before `end` gather from the keys that they see.
template <bool is_causal, TensorType Q, TensorType K>
auto attended(Q const& q, K const& k, K const& v, std::int64_t begin, std::int64_t end) {
  std::int64_t const keys = is_causal ? end : at(k.sizes(), 1);
  auto const scores =
      eval(einsum<"batch query head feature, batch key head feature -> batch head query key">(
          slice<1>(q, begin, end), slice<1>(k, 0, keys)));
  auto const weights = eval(weights_of(scores * attention_scale(q),
                                       seen_keys<is_causal, typename Q::device>(begin, keys)));
  return eval(einsum<"batch head query key, batch key head feature -> batch query head feature">(
      weights, slice<1>(v, 0, keys)));
}

/// The same, so many queries at a time: what none of them sees is not computed, and their scores
/// stay in cache. (256 positions, 12 heads of 64, forward and backward: 1.35 times as fast as all
/// at once.)
inline constexpr std::int64_t queries_at_once = 64;

template <bool is_causal, TensorType Q, TensorType K>
auto attended_in_blocks(Q const& q, K const& k, K const& v, std::int64_t begin, std::int64_t end)
    -> decltype(attended<is_causal>(q, k, v, begin, end)) {
  std::int64_t const blocks = (end - begin + queries_at_once - 1) / queries_at_once;
  if (blocks <= 1) return attended<is_causal>(q, k, v, begin, end);
  std::int64_t const middle = begin + blocks / 2 * queries_at_once;
  return concat<1>(attended_in_blocks<is_causal>(q, k, v, begin, middle),
                   attended_in_blocks<is_causal>(q, k, v, middle, end));
}

/// The same node by node, where a derivative may have derivatives.
template <bool is_causal, TensorType Q, TensorType K>
[[gnu::cold]] Q attended_in_graph(Q const& q, K const& k, K const& v) {
  auto const product = scores_of(q, k);
  auto const scores = rounded_in_graph<TensorOf<decltype(product)>>(product);
  auto const seen = seen_keys<is_causal, typename Q::device>(0, at(k.sizes(), 1));
  auto const weights = rounded_in_graph<Unqualified<decltype(scores)>>(
      weights_of(scores * attention_scale(q), seen));
  return rounded_in_graph<Q>(gathered(weights, v));
}

/// Attention on a device: by its own kernel, where it has one.
template <bool is_causal, TensorType Q, TensorType K>
Q attended_on_device(Q const& q, K const& k, K const& v) {
  if constexpr (AttendsAtOnce<Q>) {
    if (any_joins_graph(q, k, v)) return attended_in_graph<is_causal>(q, k, v);
    Sizes const sizes = q.sizes();
    AttentionNumbers const numbers{at(sizes, 0) * at(sizes, 2),
                                   at(sizes, 2),
                                   at(sizes, 1),
                                   at(k.sizes(), 1),
                                   at(sizes, 3),
                                   is_causal,
                                   static_cast<double>(attention_scale(q))};
    return attended_at_once(numbers, q, k, v);
  } else {
    return attended_in_blocks<is_causal>(q, k, v, 0, at(q.sizes(), 1));
  }
}

/// Refuses keys or values that are more or fewer than what they belong to.
inline void check_positions(std::int64_t wanted, std::int64_t others, std::string_view what,
                            std::string_view who = "causal_attention",
                            std::string_view as_many = "queries") {
  if (wanted == others) return;
  fail<ShapeError>(
      {.who = who,
       .what = what,
       .expected = std::to_string(wanted) + " positions, as many as " + std::string(as_many),
       .got = std::to_string(others)});
}

/// Every position gathers from the values at itself and before it, by how well its query and their
/// keys match, softmax(q kᵀ / sqrt(feature)) v: "batch query head feature" and twice "batch key
/// head feature" give "batch query head feature". PyTorch:
/// `scaled_dot_product_attention(is_causal=True)`. Throws `ShapeError` where they are not equally
/// long. (A NaN among the values reaches the queries before it that are computed with it.)
template <TensorType Q, TensorType K>
Q causal_attention(Q const& q, K const& k, K const& v) {
  check_positions(at(q.sizes(), 1), at(k.sizes(), 1), "key");
  check_positions(at(q.sizes(), 1), at(v.sizes(), 1), "value");
  return attended_on_device<true>(q, k, v);
}

/// The same where every query sees all keys, which may be more or fewer: attention to another
/// sequence. PyTorch: `scaled_dot_product_attention`. Throws `ShapeError` where keys and values are
/// not equally many.
template <TensorType Q, TensorType K>
Q full_attention(Q const& q, K const& k, K const& v) {
  check_positions(at(k.sizes(), 1), at(v.sizes(), 1), "value", "full_attention", "keys");
  return attended_on_device<false>(q, k, v);
}

/// Attention in several heads, "… t embed=64" to the same. A position sees itself and those before
/// it; the length is that of the call. The result is open, so that a residual joins its last
/// kernel. A. Vaswani et al., "Attention is all you need", 2017.
/// PyTorch: `nn.MultiheadAttention(batch_first=True)` with `is_causal`.
template <Spec Embed, int heads, class... Kind>
struct MultiHeadAttention {
  static constexpr std::string_view name = "MultiHeadAttention";
  static constexpr std::int64_t width = LayerAxis<Embed>::size;
  static_assert(heads > 0 && width > 0 && width % heads == 0,
                "tenon::MultiHeadAttention: the embedding must be a multiple of the heads");
  template <Spec SetPosition>
  using Heads = Tensor<typename LayerKind<Kind...>::dtype,
                       spec_of<RowsInHeads<SetPosition, heads, width / heads>>,
                       typename LayerKind<Kind...>::device>;

  Linear<Embed, Embed, Kind...> query;
  Linear<Embed, Embed, Kind...> key;
  Linear<Embed, Embed, Kind...> value;
  Linear<Embed, Embed, Kind...> output;

  template <Expression X>
    requires(EndsWith<X, Embed> && X::shape.rank > 1)
  auto operator()(X const& x) const {
    TensorOf<X> const rows = x;
    auto const gathered =
        causal_attention(in_heads<Heads<"query">>(query(rows)), in_heads<Heads<"key">>(key(rows)),
                         in_heads<Heads<"key">>(value(rows)));
    return output(reshaped<TensorOf<X>>(gathered, rows.sizes()));
  }
  template <Expression X, class R = LayerMistake<MultiHeadAttention, X, Embed, 2>>
    requires(!std::is_void_v<R>)
  auto operator()(X const& x) const -> R;
  template <Mistake X>
  auto operator()(X const&) const -> X;

  template <class Start>
  MultiHeadAttention initialised(Start& start) const {
    return {start(query), start(key), start(value), start.residual(output)};
  }
};

}  // namespace tenon
