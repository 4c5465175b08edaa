#pragma once

#include <string>
#include <string_view>

#include <tenon/expr/view/rearrange.hpp>
#include <tenon/nn/attention_at_once.hpp>

namespace tenon::internal {

using ScaledDotProductAttentionName = Named<"scaled_dot_product_attention">;

/// The axis of an operand of attention, counted from its last.
template <class X>
constexpr Axis const& attention_axis(int from_end) {
  return X::shape[X::shape.rank - 1 - from_end];
}

/// The axis, counted from the last, in which two operands of attention differ; -1: none.
template <class A, class B>
constexpr int attention_axis_that_differs(bool by_key, bool is_grouped, bool positions) {
  for (int i = 0; i < A::shape.rank; ++i) {
    Axis const &a = attention_axis<A>(i), &b = attention_axis<B>(i);
    if (i == 0 && by_key) continue;  // values may have other features
    if (i == 1 && (!positions || sizes_agree(a, b))) continue;
    bool const is_multiple = !a.is_static() || !b.is_static() || a.size % b.size == 0;
    if (i == 2 && is_grouped && is_multiple) continue;
    if (!agree(a, b)) return i;
  }
  return -1;
}

/// The same for a mask, "#batch #head query key" or its last axes; `rank` for too many of them.
template <class Q, class K, class M>
constexpr int mask_axis_that_differs() {
  if (M::shape.rank > Q::shape.rank || M::shape.rank < 1) return Q::shape.rank;
  for (int i = 0; i < M::shape.rank; ++i) {
    Axis const& own = attention_axis<M>(i);
    Axis const& other = i == 0 ? attention_axis<K>(1) : attention_axis<Q>(i);
    if (!own.is_one() && !agree(own, other)) return i;
  }
  return -1;
}

/// The error of axes of two operands, both counted from the last.
template <class A, int i, class B, int k>
constexpr auto attention_axes_differ() {
  return axes_differ<ScaledDotProductAttentionName, A, A::shape.rank - 1 - i, B,
                     B::shape.rank - 1 - k>();
}

/// Names the error of a mask; `void` for none.
template <class Q, class K, class M>
constexpr auto attention_mask_mistake() {
  using Name = ScaledDotProductAttentionName;
  using T = typename M::value_type;
  constexpr int i = mask_axis_that_differs<Q, K, M>();
  if constexpr (!std::same_as<T, bool> && !std::same_as<T, typename Q::value_type>)
    return dtype_mistake<Name, Q, M>();
  else if constexpr (!DevicesMeet<Q, M>) return device_mistake<Name, Q, M>();
  else if constexpr (i == Q::shape.rank) return shapes_differ<Name, Q, M>();
  else if constexpr (i == 0) return attention_axes_differ<K, 1, M, 0>();
  else if constexpr (i > 0) return attention_axes_differ<Q, i, M, i>();
  else return std::type_identity<void>{};
}

template <class Q, class K, class First, class... Rest>
constexpr auto attention_options_mistake() {
  if constexpr (Expression<First>) return attention_mask_mistake<Q, K, First>();
  else if constexpr (sizeof...(Rest) > 0) return attention_options_mistake<Q, K, Rest...>();
  else return std::type_identity<void>{};
}

/// Names the error of two operands; `void` for none.
template <class A, class B, bool of_values, bool is_grouped, bool positions>
constexpr auto attention_rows_mistake() {
  using Name = ScaledDotProductAttentionName;
  if constexpr (A::shape.rank != B::shape.rank) return shapes_differ<Name, A, B>();
  else if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!std::same_as<typename A::value_type, typename B::value_type>)
    return dtype_mistake<Name, A, B>();
  else {
    constexpr int i = attention_axis_that_differs<A, B>(of_values, is_grouped, positions);
    if constexpr (i < 0) return std::type_identity<void>{};
    else return attention_axes_differ<A, i, B, i>();
  }
}

template <class Q, class K, class V, class... Options>
constexpr auto scaled_attention_mistake() {
  using Name = ScaledDotProductAttentionName;
  constexpr bool grouped = has_option<EnableGqa, Options...> && Q::shape.rank > 2;
  if constexpr (Q::shape.rank < 2 || Q::shape.rank > 4) return rank_mistake<Name, Q, 4>();
  else if constexpr (!FloatType<typename Q::value_type>) return dtype_mistake<Name, Q>();
  else {
    constexpr bool causal = has_option<IsCausal, Options...>;
    using rows = decltype(first_error(attention_rows_mistake<Q, K, false, grouped, causal>(),
                                      attention_rows_mistake<K, V, true, false, true>()));
    if constexpr (!std::is_void_v<typename rows::type>) return rows{};
    else return attention_options_mistake<Q, K, Options..., NoMask>();
  }
}
template <Expression Q, Expression K, Expression V, class... Options>
using ScaledAttentionMistake =
    typename decltype(scaled_attention_mistake<Unqualified<Q>, Unqualified<K>, Unqualified<V>,
                                               Unqualified<Options>...>())::type;

/// "batch head query feature", or its last axes, as "batch query head feature".
template <Spec of_four, Spec of_three, Spec of_two, Expression X>
auto rearrange_by_rank(X const& x) {
  if constexpr (X::shape.rank == 4) return rearrange<of_four>(x);
  else if constexpr (X::shape.rank == 3) return rearrange<of_three>(x);
  else return rearrange<of_two>(x);
}
auto queries_before_heads(Expression auto const& x) {
  return rearrange_by_rank<"batch head query feature -> batch query head feature",
                           "head query feature -> 1 query head feature",
                           "query feature -> 1 query 1 feature">(x);
}
auto keys_before_heads(Expression auto const& x) {
  return rearrange_by_rank<"batch head key feature -> batch key head feature",
                           "head key feature -> 1 key head feature",
                           "key feature -> 1 key 1 feature">(x);
}

/// Throws `ShapeError` where run-time sizes differ.
template <bool is_causal, bool is_grouped, Expression Q, Expression K, Expression V>
void check_attention_sizes(Q const& q, K const& k, V const& v) {
  constexpr std::string_view who = ScaledDotProductAttentionName::name;
  auto const size = [](auto const& x, int from_end) {
    return at(x.sizes(), Unqualified<decltype(x)>::shape.rank - 1 - from_end);
  };
  auto const check = [&](auto const& a, auto const& b, int i) {
    using B = Unqualified<decltype(b)>;
    if (size(a, i) != size(b, i))
      sizes_differ(who, B::shape, B::shape.rank - 1 - i, size(a, i), size(b, i));
  };
  check_positions(size(k, 1), size(v, 1), "value", who, "keys");
  if (is_causal) check_positions(size(q, 1), size(k, 1), "key", who);
  check(q, k, 0);
  for (int i = 2; i < Q::shape.rank; ++i) {
    check(k, v, i);
    if (is_grouped && i == 2 && size(k, i) > 0 && size(q, i) % size(k, i) == 0) continue;
    check(q, k, i);
  }
}

/// softmax(scale q kᵀ + mask) v, with the scale 1 / sqrt(feature): queries "batch head query
/// feature", keys and values "batch head key feature", or their last two or three axes, under any
/// names, give "batch head query feature". Options follow in any order: a mask "#batch #head #query
/// #key", or its last axes, Boolean (true: a key is seen) or of the dtype of the queries (added);
/// `is_causal`, for as many queries as keys; `enable_gqa`; `AttentionScale{0.1}`; with
/// `Dropout{0.1f}` and a `Key`, dropout of the weights. A query that sees no key gives zeros, and
/// its gradients are zero, as in PyTorch 2.15. Throws `ShapeError` where run-time sizes differ.
/// PyTorch: `nn.functional.scaled_dot_product_attention`.
template <Expression Q, Expression K, Expression V, class... Options>
  requires std::is_void_v<ScaledAttentionMistake<Q, K, V, Options...>>
auto scaled_dot_product_attention(Q const& q, K const& k, V const& v, Options const&... options) {
  using R = TensorUnder<AttendedRule<Q, V>, Q>;
  Sizes sizes = q.sizes();
  auto const queries =
      eval(scaled_queries(queries_before_heads(q), at(sizes, Q::shape.rank - 1), options...));
  at(sizes, Q::shape.rank - 1) = at(v.sizes(), V::shape.rank - 1);
  constexpr bool grouped = has_option<EnableGqa, Options...> && Q::shape.rank > 2;
  check_attention_sizes<has_option<IsCausal, Options...>, grouped>(q, k, v);
  auto const mixed =
      attend<ScaledDotProductAttentionName, grouped, attends_plainly<K, V, Options...>>(
          option_or(Dropout(), options...), queries, keys_before_heads(k), keys_before_heads(v),
          options...);
  return reshaped<R>(eval(rearrange<"batch query head feature -> batch head query feature">(mixed)),
                     sizes);
}
template <Expression Q, Expression K, Expression V, class... Options,
          Mistake R = ScaledAttentionMistake<Q, K, V, Options...>>
auto scaled_dot_product_attention(Q const& q, K const& k, V const& v, Options const&...) -> R;
template <class... X>
  requires Dispatches<ScaledDotProductAttentionName, X&&...>
auto scaled_dot_product_attention(X&&... x) {
  return Dispatch<ScaledDotProductAttentionName, X&&...>::of(std::forward<X>(x)...);
}
template <class... X, class R = Refused<ScaledDotProductAttentionName, X...>>
auto scaled_dot_product_attention(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::scaled_dot_product_attention;

}  // namespace tenon
