#pragma once

#include <string>
#include <utility>

#include <tenon/dist/on_shards.hpp>
#include <tenon/dist/sharded_create.hpp>
#include <tenon/dist/sharded_losses.hpp>
#include <tenon/nn/layer_norm.hpp>

/// Layers whose weights are divided over a mesh, as their axes say. They start as the layers of one
/// rank do, each rank with its part (dist/sharded_init.hpp).
namespace tenon {

/// Specs of one axis each, one after the other.
template <Spec... S>
struct ShardedAxes {
  static constexpr Sharding sharding() {
    Sharding result{};
    auto const add = [&](Sharding const& one) {
      result[result.shape.rank] = one[0];
      result.shape[result.shape.rank++] = one.shape[0];
    };
    (add(parsed_sharding<canonical_sharding<S>>.sharding), ...);
    return result;
  }
};

/// A tensor of a sharded layer: one axis for each spec.
template <class Kind, Spec... S>
using ShardedLayerTensor =
    Sharded<typename Kind::dtype, ShardingBy<ShardedAxes<S...>>::spec, typename Kind::device>;

/// An affine map of the last axis whose weight is divided over ranks.
/// `ParallelLinear<"embed=64", "hidden=256@tp">`: by columns, each rank makes its part of "hidden".
/// `ParallelLinear<"hidden=256@tp", "embed=64">`: by rows, each rank has a part of the sum, which
/// is added up over `tp`. One after the other send once. Megatron: `ColumnParallelLinear`,
/// `RowParallelLinear`.
template <Spec In, Spec Out, class... Kind>
struct ParallelLinear {
  ShardedLayerTensor<LayerKind<Kind...>, In, Out> weight;
  ShardedLayerTensor<LayerKind<Kind...>, Out> bias;

  template <ShardType X>
  auto operator()(X const& x) const {
    return reduced(matmul(x, weight)) + bias;
  }

  /// The sum over ranks divided along an axis of `x`, each rank receives its part alone: for
  /// streams that are divided between layers. Megatron: `sequence_parallel`.
  template <Axes axis, ShardType X>
  auto scattered(X const& x) const {
    return reduce_scatter<axis>(matmul(x, weight)) + bias;
  }

  template <class Start>
  ParallelLinear initialised(Start& start) const {
    return {start(weight), start.zeros(bias)};
  }
};

/// A learned row for every word: `ParallelEmbedding<"word=97@tp", "embed=64">`, where each rank
/// looks up the words it has. Megatron: `VocabParallelEmbedding`.
template <Spec Vocabulary, Spec Embed, class... Kind>
struct ParallelEmbedding {
  ShardedLayerTensor<LayerKind<Kind...>, Vocabulary, Embed> weight;

  template <ShardType Ids>
  auto operator()(Ids const& ids) const {
    return reduced(take<0>(weight, ids));
  }
};

/// A layer norm, whose gamma and beta all ranks have, of tensors that are divided along other axes
/// than the last: the batch, the heads, the sequence. (Gradients of gamma and beta are added up
/// over the ranks that divide them.) Megatron: `LayerNorm` with `sequence_parallel`.
template <Spec Embed, class... Kind>
struct ParallelLayerNorm {
  using Row = ShardedLayerTensor<LayerKind<Kind...>, Embed>;
  using T = typename Row::value_type;

  Row gamma;
  Row beta;
  T epsilon = T(1e-5);  ///< Added to the variance.

  template <ShardType X>
  auto operator()(X const& x) const {
    auto const norm = [e = epsilon](auto const& rows, auto const& scale, auto const& shift) {
      auto const centred = rows - mean<-1>(rows, keep);
      return centred * rsqrt(mean<-1>(square(centred), keep) + e) * scale + shift;
    };
    return on_shards(norm)(x, gamma, beta);
  }

  template <class Start>
  ParallelLayerNorm initialised(Start& start) const {
    return {start.ones(gamma), start.zeros(beta), epsilon};
  }
};

/// Sets elements to zero at random, each rank those of its part: of a tensor divided in any way the
/// same as `Dropout` of the whole. Without a key it does nothing. Throws `ValueError` unless the
/// rate is from 0 to 1. Megatron: dropout under the random states of its ranks.
struct ParallelDropout {
  float rate = 0.1f;  ///< The share of elements that become zero.

  template <ShardType X>
  X const& operator()(X const& x) const {
    return x;
  }
  template <ShardType X>
  auto operator()(X const& x, Key const& key) const {
    if (!(rate >= 0.0f && rate <= 1.0f))
      fail<ValueError>({"ParallelDropout", "rate", "a number from 0 to 1", std::to_string(rate)});
    float const share = 1.0f - rate;
    auto const drawn = uniform_part<Sharded<float, X::spec>>(*x.place.topology(), key, x.sizes());
    return where(drawn < share, x * (rate < 1.0f ? 1.0f / share : 0.0f), 0.0f);
  }
};

}  // namespace tenon
