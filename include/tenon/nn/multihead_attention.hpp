#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <tenon/nn/attention_at_once.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/nn/key_value_cache.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/positions.hpp>

namespace tenon::internal {

using MultiheadAttentionName = Named<"MultiheadAttention">;

/// The axis of a layer with another size: the features of some heads side by side.
template <Spec Embed, std::int64_t size>
struct ProjectedRule {
  static constexpr Shape shape =
      shape_of_axes({named_axis(LayerAxis<Embed>::axis.name.view(), size)});
};

/// The rows of a layer with their features split into heads: "batch key head=4 feature=16".
template <Spec SetPosition, std::int64_t heads, std::int64_t features>
struct RowsInHeads {
  static constexpr Shape shape =
      shape_of_axes({named_axis("batch"), named_axis(SetPosition), named_axis("head", heads),
                     named_axis("feature", features)});
};

/// "… t embed" with its last axis split into heads, all leading axes merged. Nothing is copied.
template <TensorType Heads, Expression X>
Heads in_heads(X const& x) {
  Sizes const from = x.sizes();
  Sizes to = static_sizes(Heads::shape);
  at(to, 1) = at(from, X::shape.rank - 2);
  at(to, 0) = count(from, X::shape.rank - 2);
  return reshaped<Heads>(evaluate_expression(x), to);
}

/// The axis of the scores "batch head query key", counted from the last, in which a mask differs;
/// -1: none. Sizes alone are compared: rows of a layer may have any names.
template <class Q, class K, class M, std::int64_t heads>
constexpr int layer_mask_axis() {
  for (int i = 0; i < M::shape.rank; ++i) {
    Axis const own = M::shape[M::shape.rank - 1 - i];
    Axis const scores[] = {K::shape[K::shape.rank - 2], Q::shape[Q::shape.rank - 2],
                           axis_of_size(heads), Q::shape.rank == 3 ? Q::shape[0] : Axis{}};
    if (!own.is_one() && (i > 3 || !sizes_agree(own, scores[i]))) return i;
  }
  return -1;
}

/// Names the error of a mask of a layer; `void` for none.
template <class Q, class K, std::int64_t heads, class First, class... Rest>
constexpr auto layer_mask_mistake() {
  using Name = MultiheadAttentionName;
  if constexpr (!Expression<First>) {
    if constexpr (sizeof...(Rest) == 0) return std::type_identity<void>{};
    else return layer_mask_mistake<Q, K, heads, Rest...>();
  } else if constexpr (!std::same_as<typename First::value_type, bool> &&
                       !std::same_as<typename First::value_type, typename Q::value_type>)
    return dtype_mistake<Name, Q, First>();
  else {
    constexpr int i = layer_mask_axis<Q, K, First, heads>();
    constexpr int axis = First::shape.rank - 1 - i;
    if constexpr (i < 0) return std::type_identity<void>{};
    else
      return std::type_identity<error::shapes_do_not_align<
          spec_of_name<Name>, spec_of_axis<First, axis>, spec_of<First>>>{};
  }
}

/// The first error of queries, keys, values and the options of a layer; `void` for none.
template <class Layer, Spec Embed, std::int64_t heads, class Q, class K, class V, class... Options>
constexpr auto attention_layer_mistake() {
  using rows =
      decltype(first_error(layer_mistake<Layer, Q, Embed, 2>(), layer_mistake<Layer, K, Embed, 2>(),
                           layer_mistake<Layer, V, Embed, 2>()));
  if constexpr (!std::is_void_v<typename rows::type>) return rows{};
  else return layer_mask_mistake<Q, K, heads, Options..., NoMask>();
}

/// Whether an argument of a call is one of these types, or a mask.
template <class O, class... Allowed>
concept AttentionOption = Expression<Unqualified<O>> || has_option<Unqualified<O>, Allowed...>;

template <class... X>
inline constexpr int expressions_among = (0 + ... + int(Expression<Unqualified<X>>));

}  // namespace tenon::internal

namespace tenon {

/// Attention of several heads: queries, keys and values are projections of rows "… t embed=64", and
/// so is the result, "… t embed=64"; "t embed=64" is one sequence. `layer(x)` is self-attention,
/// `layer(q, k, v)` attends to other rows. Options follow in any order: a mask "#batch #head #query
/// #key", or its last axes, Boolean (true: a key is seen) or added to the scores, as `alibi`;
/// `is_causal`; a `Key`, for dropout; `RotaryPositions`; `AttentionScale{0.1}`; the `Cache` of
/// `new_cache`, to which the keys and values are added; `need_weights`, for a pair with the weights
/// "batch head query key". A query that sees no key attends to zeros. The result alone is lazy, so
/// that a residual joins its last kernel. A. Vaswani et al., "Attention is all you need", 2017.
/// PyTorch: `nn.MultiheadAttention` with `batch_first`.
template <Spec Embed, AttentionHeads heads, class... Kind>
struct MultiheadAttention {
  static constexpr std::string_view name = "MultiheadAttention";
  static constexpr std::int64_t width = internal::LayerAxis<Embed>::size;
  static_assert(heads.fit(width),
                "tenon::MultiheadAttention: the embedding must be a multiple of the heads, and the "
                "heads of queries of those of keys");
  static constexpr std::int64_t features = heads.features_of(width);
  using T = typename internal::LayerKind<Kind...>::dtype;
  using D = typename internal::LayerKind<Kind...>::device;
  template <Spec SetPosition, int number>
  using Heads =
      Tensor<T, internal::spec_of<internal::RowsInHeads<SetPosition, number, features>>, D>;
  template <int number>
  using Projected = internal::ProjectedRule<Embed, number * features>;
  using Cache = KeyValueCache<Heads<"key", heads.keys>, "key">;

  Linear<Embed, internal::spec_of<Projected<heads.queries>>, Kind...> query;
  Linear<Embed, internal::spec_of<Projected<heads.keys>>, Kind...> key;
  Linear<Embed, internal::spec_of<Projected<heads.keys>>, Kind...> value;
  Linear<internal::spec_of<Projected<heads.queries>>, Embed, Kind...> output;
  Dropout dropout{0.0f};  ///< Of the weights.

  template <internal::LayerOperand Q, internal::LayerOperand K, internal::LayerOperand V,
            class... Options>
  using Mistake =
      typename decltype(internal::attention_layer_mistake<
                        MultiheadAttention, Embed, heads.queries, internal::Unqualified<Q>,
                        internal::Unqualified<K>, internal::Unqualified<V>,
                        internal::Unqualified<Options>...>())::type;
  template <class... O>
  static constexpr bool are_options =
      internal::expressions_among<O...> <= 1 &&
      (internal::AttentionOption<O, internal::IsCausal, internal::NeedWeights, AttentionScale, Key,
                                 RotaryPositions<T, D>, Cache> &&
       ...);

  template <Expression X, class... Options>
    requires(are_options<Options...> && std::is_void_v<Mistake<X, X, X, Options...>>)
  auto operator()(X const& x, Options&&... options) const {
    internal::TensorOf<X> const rows = x;
    return attend(rows, rows, rows, options...);
  }
  template <Expression Q, Expression K, Expression V, class... Options>
    requires(are_options<Options...> && std::is_void_v<Mistake<Q, K, V, Options...>>)
  auto operator()(Q const& q, K const& k, V const& v, Options&&... options) const {
    return attend(q, k, v, options...);
  }
  template <class X, class... Options, internal::Mistake R = Mistake<X, X, X, Options...>>
    requires are_options<Options...>
  auto operator()(X const& x, Options&&...) const -> R;
  template <class Q, class K, class V, class... Options,
            internal::Mistake R = Mistake<Q, K, V, Options...>>
    requires are_options<Options...>
  auto operator()(Q const&, K const&, V const&, Options&&...) const -> R;

  /// A cache without positions, with memory for some.
  static Cache new_cache(std::int64_t batch, std::int64_t positions) {
    auto const none = [&] { return zeros<Heads<"key", heads.keys>>(batch, positions); };
    return {none(), none()};
  }

  template <class Initializer>
  MultiheadAttention init_parameters(Initializer& initializer) const {
    if constexpr (Initializer::resets) return reset_parameters(initializer.next_key(), dropout);
    else
      return {initializer(query), initializer(key), initializer(value),
              initializer.residual(output), dropout};
  }

  /// PyTorch's initial values: the packed weight of queries, keys and values by Xavier's rule, the
  /// weight of the output by Kaiming's, both uniform, and biases of zeros.
  static MultiheadAttention reset_parameters(Key const& random, Dropout of_weights = {0.0f}) {
    double const rows = static_cast<double>(features) * (heads.queries + 2.0 * heads.keys);
    double const packed = std::sqrt(6 / (static_cast<double>(width) + rows));
    double const own = 1 / std::sqrt(static_cast<double>(features) * heads.queries);
    auto const [a, b] = split(random);
    auto const [c, d] = split(b);
    auto const [e, f] = split(d);
    MultiheadAttention layer;
    layer.dropout = of_weights;
    auto const draw = [](Key const& from, auto& weight, double bound) {
      weight = internal::init::draw_uniform(weight, from, bound);
    };
    draw(a, layer.query.weight, packed), draw(c, layer.key.weight, packed);
    draw(e, layer.value.weight, packed), draw(f, layer.output.weight, own);
    return layer;
  }

  /// The layer with the state of PyTorch's: `in_proj_weight`, "3·embed embed", `in_proj_bias`,
  /// `out_proj.weight` and `out_proj.bias`.
  static MultiheadAttention from_state(Tensor<T, "_ _", D> const& in_weight,
                                       Tensor<T, "_", D> const& in_bias,
                                       Tensor<T, "_ _", D> const& out_weight,
                                       Tensor<T, "_", D> const& out_bias) {
    MultiheadAttention layer;
    std::int64_t begin = 0;
    auto const read = [&](auto& linear, std::int64_t rows) {
      linear.weight = transpose(slice<0>(in_weight, begin, begin + rows));
      linear.bias = slice<0>(in_bias, begin, begin + rows);
      begin += rows;
    };
    read(layer.query, heads.queries * features);
    read(layer.key, heads.keys * features), read(layer.value, heads.keys * features);
    layer.output = {transpose(out_weight), out_bias};
    return layer;
  }

 private:
  static constexpr bool is_grouped = heads.queries != heads.keys;

  template <class Q, class K, class V, class... Options>
  auto attend(Q const& q, K const& k, V const& v, Options&... options) const {
    using internal::in_heads;
    using Rotary = RotaryPositions<T, D>;
    auto queries = in_heads<Heads<"query", heads.queries>>(
        internal::scaled_queries(query(q), features, options...));
    auto keys = in_heads<Heads<"key", heads.keys>>(key(k));
    auto const values = in_heads<Heads<"key", heads.keys>>(value(v));
    if constexpr (internal::has_option<Rotary, Options...>) {
      Rotary const none, &rotary = internal::option_or(none, options...);
      queries = rotary_embedding<"query">(queries, rotary);
      keys = rotary_embedding<"key">(keys, rotary);
    }
    return project(q, mix(queries, keys, values, options...));
  }

  /// The values by head; with their weights if these are an option.
  template <class Q, class K, class... Options>
  auto mix(Q const& q, K const& k, K const& v, Options&... options) const {
    using namespace internal;
    using Name = MultiheadAttentionName;
    constexpr bool is_cached = has_option<Cache, Options...>;
    constexpr bool is_plain = !is_grouped && !is_cached && attends_plainly<K, K, Options...>;
    auto const with = [&](auto const& keys, auto const& values) {
      if constexpr (has_option<NeedWeights, Options...>)
        return attend_by_options<Name, is_grouped>(dropout, q, keys, values, options...);
      else
        return internal::attend<Name, is_grouped, is_plain>(dropout, q, keys, values, options...);
    };
    if constexpr (!is_cached) return with(k, v);
    else {
      Cache& cache = cache_in(options...);
      cache.append(k, v);
      return with(cache.seen_keys(), cache.seen_values());
    }
  }

  template <class First, class... Rest>
  static Cache& cache_in(First& first, Rest&... rest) {
    if constexpr (std::same_as<First, Cache>) return first;
    else return cache_in(rest...);
  }

  template <class X, class Mixed>
  auto project(X const& x, Mixed const& mixed) const {
    if constexpr (!TensorType<Mixed>) return std::pair(eval(project(x, mixed.first)), mixed.second);
    else {
      using Rule = internal::AttendedRule<X, Projected<heads.queries>>;
      internal::Sizes sizes = x.sizes();
      internal::at(sizes, X::shape.rank - 1) = heads.queries * features;
      return output(internal::reshaped<Tensor<T, internal::spec_of<Rule>, D>>(mixed, sizes));
    }
  }
};

}  // namespace tenon
