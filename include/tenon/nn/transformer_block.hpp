#pragma once

#include <tenon/nn/attention.hpp>
#include <tenon/nn/feed_forward.hpp>
#include <tenon/nn/layer_norm.hpp>

namespace tenon {

/// Attention, then a feed-forward layer, each after a normalisation and added to what came in:
/// "… t embed=64" to the same. GPT-2's block: A. Radford et al., 2019.
/// PyTorch: `nn.TransformerEncoderLayer(norm_first=True, batch_first=True)`.
template <Spec Embed, int heads, Spec Hidden, class T = float, class D = Cpu>
struct TransformerBlock {
  static constexpr std::string_view name = "TransformerBlock";

  LayerNorm<Embed, T, D> attention_norm;
  MultiHeadAttention<Embed, heads, T, D> attention;
  LayerNorm<Embed, T, D> feed_forward_norm;
  FeedForward<Embed, Hidden, T, D> feed_forward;

  template <Expression X>
    requires(EndsWith<X, Embed> && X::shape.rank > 1)
  TensorOf<X> operator()(X const& x) const {
    TensorOf<X> const before = x;
    TensorOf<X> const between = before + attention(attention_norm(before));
    return between + feed_forward(feed_forward_norm(between));
  }
  template <Expression X>
    requires(!EndsWith<X, Embed> || X::shape.rank < 2)
  auto operator()(X const& x) const -> LayerMistake<TransformerBlock, X, Embed>;
};

}  // namespace tenon
