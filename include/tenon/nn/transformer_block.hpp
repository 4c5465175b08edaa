#pragma once

#include <tenon/nn/dropout.hpp>
#include <tenon/nn/feed_forward.hpp>
#include <tenon/nn/layer_norm.hpp>
#include <tenon/nn/multihead_attention.hpp>

namespace tenon {

/// Causal attention, then a feed-forward layer, each after a layer normalisation and with a
/// residual connection: "… t embed=64" to the same. GPT-2's block: A. Radford et al., 2019.
/// PyTorch: `nn.TransformerEncoderLayer(norm_first=True, batch_first=True)`.
template <Spec Embed, int heads, Spec Hidden, class... Kind>
struct TransformerBlock {
  static constexpr std::string_view name = "TransformerBlock";

  LayerNorm<Embed, Kind...> attention_norm;
  MultiheadAttention<Embed, heads, Kind...> attention;
  LayerNorm<Embed, Kind...> feed_forward_norm;
  FeedForward<Embed, Hidden, Kind...> feed_forward;
  Dropout dropout;

  template <Expression X>
    requires(internal::EndsWith<X, Embed> && X::shape.rank > 1)
  internal::TensorOf<X> operator()(X const& x) const {
    internal::TensorOf<X> const before = x;
    internal::TensorOf<X> const between = before + attention(attention_norm(before), is_causal);
    return between + feed_forward(feed_forward_norm(between));
  }
  /// With a key: training with dropout before each sum.
  template <Expression X>
    requires(internal::EndsWith<X, Embed> && X::shape.rank > 1)
  internal::TensorOf<X> operator()(X const& x, Key const& dropout_key) const {
    auto const [first, second] = split(dropout_key);
    internal::TensorOf<X> const before = x;
    internal::TensorOf<X> const between =
        before + dropout(attention(attention_norm(before), is_causal), first);
    return between + dropout(feed_forward(feed_forward_norm(between)), second);
  }
  template <Expression X, class R = internal::LayerMistake<TransformerBlock, X, Embed, 2>>
    requires(!std::is_void_v<R>)
  auto operator()(X const& x, std::same_as<Key> auto const&...) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&, std::same_as<Key> auto const&...) const -> X;
};

}  // namespace tenon
