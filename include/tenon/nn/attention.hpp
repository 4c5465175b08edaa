#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/eval/attention_by_query.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/nn/attention_products.hpp>

/// Attention of queries, keys and values whose axes are identified by position, "batch query head
/// feature" and twice "batch key head feature", with any names.
namespace tenon::internal {

/// The same sizes under the names that attention uses internally.
template <class X, Spec SetPosition>
struct AttentionAxes {
  static constexpr Shape shape = [] {
    Shape result{};
    for (std::string_view const name : {std::string_view("batch"), SetPosition.view(),
                                        std::string_view("head"), std::string_view("feature")}) {
      Axis const& own = X::shape[result.rank];
      result[result.rank++] = own.is_static() ? named_axis(name, own.size) : named_axis(name);
    }
    return result;
  }();
};
template <TensorType X, Spec SetPosition>
using AttentionRows = TensorUnder<AttentionAxes<X, SetPosition>, X>;

/// Throws `ShapeError` where the number of keys or values is wrong.
void check_positions(std::int64_t wanted, std::int64_t others, std::string_view what,
                     std::string_view who, std::string_view as_many = "queries");

/// Throws `ShapeError` where run-time sizes of the other axes differ.
template <TensorType A, TensorType B>
void check_attention_axes(std::string_view who, A const& a, B const& b) {
  for (int i : {0, 2, 3})
    if (at(a.sizes(), i) != at(b.sizes(), i))
      sizes_differ(who, B::shape, i, at(a.sizes(), i), at(b.sizes(), i));
}

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

/// Attention by a fused kernel, where the device has one, else by matmuls and softmax. (The result
/// has the axes of the queries.)
template <bool is_causal, TensorType Q, TensorType K>
Q attend_on_device(Q const& q, K const& k, K const& v) {
  bool const in_graph = any_joins_graph(q, k, v);
  std::int64_t at_once = queries_at_once;
  if constexpr (Q::device::is_host) {
    bool const hides = hides_infinite<is_causal>(q, k, v);
    if (hides && !in_graph) return attended_by_query(attention_numbers<is_causal>(q, k), q, k, v);
    if (hides) at_once = 1;
  }
  if constexpr (AttendsAtOnce<Q>) {
    if (!in_graph) return attended_at_once(attention_numbers<is_causal>(q, k), q, k, v);
    if constexpr (!Q::device::is_host) return attend_in_graph<is_causal>(q, k, v);
  }
  return relabelled<Q>(attend_in_blocks<is_causal>(q, k, v, 0, at(q.sizes(), 1), at_once));
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
  return relabelled<Q>(attend_on_device<is_causal>(relabelled<AttentionRows<Q, "query">>(q),
                                                   relabelled<Keys>(k), relabelled<Keys>(v)));
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <string>

namespace tenon::internal {

TENON_RUNTIME void check_positions(std::int64_t wanted, std::int64_t others, std::string_view what,
                                   std::string_view who, std::string_view as_many) {
  if (wanted == others) return;
  fail<ShapeError>(
      {.who = who,
       .what = what,
       .expected = std::to_string(wanted) + " positions, as many as " + std::string(as_many),
       .got = std::to_string(others)});
}

}  // namespace tenon::internal

#endif
