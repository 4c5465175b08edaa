#pragma once

#include <array>
#include <cstdint>

#include <tenon/nn/attention.hpp>
#include <tenon/nn/attention_weights.hpp>

/// Attention with masks and groups of heads by the kernel of a backend, where it has one.
namespace tenon::internal {

/// The memory of a mask, and how attention reads it.
struct StoredMask {
  AttentionMask mask{};
  SharedBuffer buffer{};
  bool fits = true;  ///< No size differs from that of the scores.
};
StoredMask stored_mask(NoMask, auto const&, auto const&) { return {}; }
template <TensorType M, TensorType Q, TensorType K>
StoredMask stored_mask(M const& mask, Q const& q, K const& k) {
  using Elements = Tensor<typename M::value_type, "element", typename M::device>;
  Elements const elements = reshaped<Elements>(mask, first_sizes(mask.size()));
  StoredMask stored{{}, elements.storage().buffer};
  AttentionMask& to = stored.mask;
  to.data = stored_elements(elements);
  to.is_boolean = std::same_as<typename M::value_type, bool>;
  std::array const strides{&to.key, &to.query, &to.head, &to.batch};
  std::array const sizes{at(k.sizes(), 1), at(q.sizes(), 1), at(q.sizes(), 2), at(q.sizes(), 0)};
  std::int64_t stride = 1;
  for (int i = 0; i < M::rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (M::shape[M::rank - 1 - i].is_one()) continue;
    stored.fits = stored.fits && at(mask.sizes(), M::rank - 1 - i) == sizes[axis];
    *strides[axis] = stride;
    stride *= sizes[axis];
  }
  return stored;
}

template <class Q, class... Options>
inline constexpr bool attends_at_once =
    Q::device::is_host && AttendsAtOnce<Q> && !has_option<NeedWeights, Options...>;

/// Dropout with the key of the options, as that of weights "batch head query key".
template <class... Options>
AttentionDropout attention_dropout(Dropout const& dropout, Options const&... options) {
  if constexpr (!has_option<Key, Options...>) return {};
  else
    return {option_or<Key>(Key(0), options...).words(),
            bernoulli_bound(static_cast<double>(kept_fraction(dropout.rate))),
            static_cast<double>(kept_factor(dropout.rate))};
}

/// Whether no trace is on, nothing depends on a mask, and no higher derivative may be requested.
template <class... X>
bool records_at_most(NoMask, X const&... x) {
  return !tracing::is_on() && !any_joins_graph(x...);
}
template <TensorType M, class... X>
bool records_at_most(M const& mask, X const&... x) {
  return !any_depends_on_recording(mask) && records_at_most(NoMask(), x...);
}

/// Attention with a mask or groups of heads, by the kernel of the backend unless a trace is on or
/// higher derivatives may be requested.
template <class Name, bool is_grouped, TensorType Q, Expression K, Expression V, class... Options>
auto attend_at_once(Dropout const& dropout, Q const& q, K const& k, V const& v,
                    Options const&... options) {
  using Out = TensorUnder<AttendedRule<Q, V>, Q>;
  using Rows = Tensor<typename Q::value_type, "batch position head feature", typename Q::device>;
  Rows const queries = reshaped<Rows>(q, q.sizes());
  Rows const keys = reshaped<Rows>(eval(k), k.sizes()), values = reshaped<Rows>(eval(v), v.sizes());
  auto const mask = mask_in(options...);
  StoredMask const stored = stored_mask(mask, queries, keys);
  auto const numbers = attention_numbers<has_option<IsCausal, Options...>>(queries, keys);
  if (!stored.fits || keys.sizes() != values.sizes() ||
      !records_at_most(mask, queries, keys, values))
    return attend_by_options<Name, is_grouped>(dropout, q, k, v, options...).first;
  return reshaped<Out>(
      attended_at_once(numbers, queries, keys, values,
                       {stored.mask, at(keys.sizes(), 2), attention_dropout(dropout, options...)},
                       stored.buffer),
      q.sizes());
}

/// Attention of "batch query head feature" and twice "batch key head feature", with the options of
/// a call, without the weights. `is_plain`: `attends_plainly`.
template <class Name, bool is_grouped, bool is_plain, TensorType Q, Expression K, Expression V,
          class... Options>
auto attend(Dropout const& dropout, Q const& q, K const& k, V const& v, Options const&... options) {
  if constexpr (is_plain)
    return attention_of<Name, has_option<IsCausal, Options...>>(q, eval(k), eval(v));
  else if constexpr (attends_at_once<Q, Options...>)
    return attend_at_once<Name, is_grouped>(dropout, q, k, v, options...);
  else return attend_by_options<Name, is_grouped>(dropout, q, k, v, options...).first;
}

}  // namespace tenon::internal
