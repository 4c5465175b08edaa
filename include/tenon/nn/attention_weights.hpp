#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/nn/attention_products.hpp>
#include <tenon/nn/axes.hpp>
#include <tenon/nn/dropout.hpp>

/// Attention with masks, groups of heads, dropout and its weights as a result, by matmuls and a
/// softmax over all keys at once: the scores are "batch head group query key".
namespace tenon::internal {

struct IsCausal {};
struct EnableGqa {};
struct NeedWeights {};

/// The factor of the scores of attention. PyTorch: `scale`.
struct AttentionScale {
  double value;
};

/// Options of attention, as the last arguments of a call. A query attends to the keys up to its own
/// position: `scaled_dot_product_attention(q, k, v, is_causal)`.
inline constexpr IsCausal is_causal{};
/// Each head of keys and values serves several heads of queries. J. Ainslie et al., "GQA", 2023.
inline constexpr EnableGqa enable_gqa{};
/// The weights are a second result.
inline constexpr NeedWeights need_weights{};

template <class T, class... Options>
inline constexpr bool has_option = (std::same_as<T, Unqualified<Options>> || ...);

/// The option of type `T`, or `otherwise`.
template <class T>
T const& option_or(T const& otherwise) {
  return otherwise;
}
template <class T, class First, class... Rest>
T const& option_or(T const& otherwise, First const& first, Rest const&... rest) {
  if constexpr (std::same_as<T, First>) return first;
  else return option_or<T>(otherwise, rest...);
}

/// The mask among the options: the only expression.
struct NoMask {};
inline NoMask mask_in() { return {}; }
template <class First, class... Rest>
auto mask_in(First const& first, Rest const&... rest) {
  if constexpr (Expression<First>) return evaluate_expression(first);
  else return mask_in(rest...);
}

/// "batch query head feature" as "batch query head group feature", with the heads of the keys.
template <class Q, class K, bool is_grouped>
struct GroupedQueriesRule {
  static constexpr Axis head = is_grouped ? K::shape[2] : Q::shape[2];
  static constexpr bool is_static = Q::shape[2].is_static() && head.is_static();
  static constexpr Axis group = !is_grouped ? axis_of_size(1)
                                : is_static ? named_axis("group", Q::shape[2].size / head.size)
                                            : named_axis("group");
  static constexpr Shape shape =
      shape_of_axes({Q::shape[0], Q::shape[1], head, group, Q::shape[3]});
};

template <bool is_grouped, TensorType Q, Expression K>
auto in_groups(Q const& q, K const& k) {
  using Rule = GroupedQueriesRule<Q, K, is_grouped>;
  std::int64_t const heads = at(q.sizes(), 2);
  std::int64_t const group = is_grouped ? heads / at(k.sizes(), 2) : 1;
  return reshaped<TensorUnder<Rule, Q>>(q, sizes_in_parts(q.sizes(), 2, heads / group, group));
}

/// A mask "batch head query key", or its last axes, as "batch head group query key"; an axis of
/// static size 1, or without which the mask is, has size 1.
template <class M, class Q>
struct MaskRule {
  static constexpr Axis from_end(int i) {
    return i < M::shape.rank ? M::shape[M::shape.rank - 1 - i] : axis_of_size(1);
  }
  static constexpr Axis named(std::string_view name, Axis const& own) {
    return own.is_one() ? axis_of_size(1) : named_axis(name, own.size);
  }
  static constexpr bool one_head = from_end(2).is_one();
  static constexpr Shape shape =
      shape_of_axes({named("batch", from_end(3)), one_head ? axis_of_size(1) : Q::shape[2],
                     one_head ? axis_of_size(1) : Q::shape[3], named("query", from_end(1)),
                     named("key", from_end(0))});
};

NoMask mask_in_groups(NoMask, auto const&, std::string_view) { return {}; }
template <TensorType M, TensorType Q>
auto mask_in_groups(M const& mask, Q const& q, std::string_view who) {
  using Rule = MaskRule<M, Q>;
  auto const size = [&](int i) { return i < M::rank ? at(mask.sizes(), M::rank - 1 - i) : 1; };
  std::int64_t const head = at(q.sizes(), 2), group = at(q.sizes(), 3);
  if (!Rule::one_head && size(2) != head * group)
    sizes_differ(who, M::shape, M::rank - 3, head * group, size(2));
  Sizes sizes = unit_sizes();
  at(sizes, 0) = size(3), at(sizes, 3) = size(1), at(sizes, 4) = size(0);
  if (!Rule::one_head) at(sizes, 1) = head, at(sizes, 2) = group;
  return reshaped<TensorUnder<Rule, M>>(mask, sizes);
}

/// Whether a mask hides a key: a Boolean one where it is false, an additive one where it is
/// -infinity. The last queries end with the last keys.
template <bool is_causal, TensorType M>
auto seen_by(M const& mask, std::int64_t queries, std::int64_t keys) {
  auto const own = [&] {
    if constexpr (std::same_as<typename M::value_type, bool>) return mask;
    else return mask != -std::numeric_limits<Computed<typename M::value_type>>::infinity();
  }();
  if constexpr (!is_causal) return eval(own);
  else return eval(own && causal_mask<typename M::device>(keys - queries, keys));
}

/// Where a mask hides all keys of a query, its weights are zero, and so are the gradients through
/// them: the scores are replaced by 0 before the softmax, and the weights after it.
template <bool is_causal, Expression S, class M>
auto mask_weights(S const& scores, M const& mask) {
  using T = typename S::value_type;
  Sizes const sizes = scores.sizes();
  std::int64_t const queries = at(sizes, 3), keys = at(sizes, 4);
  if constexpr (std::same_as<M, NoMask>)
    return weights_of(scores, seen_keys<is_causal, typename S::device>(keys - queries, keys));
  else {
    auto const seen = seen_by<is_causal>(mask, queries, keys);
    auto const hidden = eval(log(1 - max<-1>(to<T>(seen), keep)));
    auto const sums = [&] {
      if constexpr (std::same_as<typename M::value_type, bool>) return scores;
      else return scores + mask;
    }();
    return where(seen, softmax<"key">(where(seen, sums, hidden)), 0.0f);
  }
}

/// The axes of a result, as those of the operands of attention.
template <class Q, class V>
struct AttendedRule {
  static constexpr Shape shape =
      with_axis(Q::shape, Q::shape.rank - 1, V::shape[V::shape.rank - 1]);
};
template <class Q, class W>
struct WeightsRule {
  static constexpr Shape shape =
      shape_of_axes({W::shape[0], named_axis("head", Q::shape[2].size), W::shape[3], W::shape[4]});
};

/// Weights with dropout where a key is an option.
template <class W, class... Options>
auto drop_weights(Dropout const& dropout, W const& weights, Options const&... options) {
  if constexpr (has_option<Key, Options...>)
    return dropout(weights, option_or<Key>(Key(0), options...));
  else return weights;
}

/// Attention of "batch query head feature" and twice "batch key head feature", with the options of
/// a call, and its weights, "batch head query key".
template <class Name, bool is_grouped, TensorType Q, Expression K, Expression V, class... Options>
auto attend_by_options(Dropout const& dropout, Q const& q, K const& k, V const& v,
                       Options const&... options) {
  auto const queries = in_groups<is_grouped>(q, k);
  auto const scores = eval(
      einsum<"batch query head group feature, batch key head feature -> batch head group query "
             "key">(queries, k));
  auto const seen = mask_weights<has_option<IsCausal, Options...>>(
      scores * attention_scale(q), mask_in_groups(mask_in(options...), queries, Name::name));
  auto const weights = eval(drop_weights(dropout, seen, options...));
  auto const mixed =
      eval(einsum<"batch head group query key, batch key head feature -> batch query head group "
                  "feature">(weights, v));
  using Out = TensorUnder<AttendedRule<Q, V>, Q>;
  using Weights = TensorUnder<WeightsRule<Q, Unqualified<decltype(weights)>>, Q>;
  Sizes to = q.sizes();
  at(to, 3) = at(v.sizes(), 3);
  return std::pair(reshaped<Out>(mixed, to),
                   reshaped<Weights>(weights, merged_sizes(weights.sizes(), 1)));
}

/// Whether the options are none but `is_causal` and a scale; keys and values have features of the
/// same name.
template <class K, class V, class... Options>
inline constexpr bool attends_plainly =
    !(Expression<Options> || ...) && !has_option<EnableGqa, Options...> &&
    !has_option<NeedWeights, Options...> && !has_option<Key, Options...> &&
    agree(K::shape[K::shape.rank - 1], V::shape[V::shape.rank - 1]);

/// Queries for scores with the factor of the options.
template <Expression Q, class... Options>
auto scaled_queries(Q const& q, std::int64_t features, Options const&... options) {
  if constexpr (!has_option<AttentionScale, Options...>) return q;
  else {
    using T = Computed<typename Q::value_type>;
    double const scale = option_or(AttentionScale{1}, options...).value;
    return q * static_cast<T>(scale * std::sqrt(static_cast<double>(features)));
  }
}

}  // namespace tenon::internal

namespace tenon {

using internal::AttentionScale;
using internal::enable_gqa;
using internal::is_causal;
using internal::need_weights;

}  // namespace tenon
