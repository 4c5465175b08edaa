#pragma once

#include <string>
#include <utility>

#include <tenon/distributed/sharding/create.hpp>
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/tensor_parallel/losses.hpp>
#include <tenon/nn/layer_norm.hpp>

/// Layers with weights sharded over a mesh, as given by their axes. Initial values are those of the
/// unsharded layers, each rank with its shard (distributed/sharding/init.hpp).
namespace tenon::internal {

/// A list of one-axis specs.
template <Spec... S>
struct ShardedAxes {
  static constexpr Sharding sharding() {
    Sharding result{};
    auto const add = [&](Axis const& axis, FixedText const& over) {
      result[result.shape.rank] = over;
      result.shape[result.shape.rank++] = axis;
    };
    (add(LayerAxis<spec_of<ShardingOf<canonical_sharding<S>>>>::axis,
         parsed_sharding<canonical_sharding<S>>.sharding[0]),
     ...);
    return result;
  }
};

/// A tensor of a sharded layer with one axis per spec.
template <class Kind, Spec... S>
using ShardedLayerTensor =
    Sharded<typename Kind::dtype, ShardingBy<ShardedAxes<S...>>::spec, typename Kind::device>;

}  // namespace tenon::internal

namespace tenon {

/// An affine map of the last axis with a sharded weight. `ParallelLinear<"embed=64",
/// "hidden=256@tp">` (column parallel): each rank computes its shard of "hidden".
/// `ParallelLinear<"hidden=256@tp", "embed=64">` (row parallel): each rank has a partial sum,
/// reduced over `tp`. The two in sequence communicate once. Megatron: `ColumnParallelLinear`,
/// `RowParallelLinear`.
template <Spec In, Spec Out, class... Kind>
struct ParallelLinear {
  internal::ShardedLayerTensor<internal::LayerKind<Kind...>, In, Out> weight;
  internal::ShardedLayerTensor<internal::LayerKind<Kind...>, Out> bias;

  template <ShardType X>
  auto operator()(X const& x) const {
    return internal::all_reduce_if_partial(matmul(x, weight)) + bias;
  }

  /// The output reduce-scattered along an axis of `x`: for activations that are sharded between
  /// layers. Megatron: `sequence_parallel`.
  template <internal::Axes axis, ShardType X>
  auto scattered(X const& x) const {
    return reduce_scatter<axis>(matmul(x, weight)) + bias;
  }

  template <class Initializer>
  ParallelLinear init_parameters(Initializer& initializer) const {
    return {initializer(weight), initializer.zeros(bias)};
  }
};

/// An embedding sharded by word: `ParallelEmbedding<"word=97@tp", "embed=64">`; each rank looks up
/// the words of its shard. Megatron: `VocabParallelEmbedding`.
template <Spec Vocabulary, Spec Embed, class... Kind>
struct ParallelEmbedding {
  internal::ShardedLayerTensor<internal::LayerKind<Kind...>, Vocabulary, Embed> weight;

  template <ShardType Ids>
  auto operator()(Ids const& ids) const {
    return internal::all_reduce_if_partial(take<0>(weight, ids));
  }
};

/// A layer norm with replicated weight and bias, for tensors sharded along axes other than the
/// last: the batch, the heads, the sequence. (Gradients of weight and bias are summed over the
/// ranks that divide them.) Megatron: `LayerNorm` with `sequence_parallel`.
template <Spec Embed, class... Kind>
struct ParallelLayerNorm {
  using Row = internal::ShardedLayerTensor<internal::LayerKind<Kind...>, Embed>;
  using T = typename Row::value_type;

  Row weight;
  Row bias;
  T epsilon = T(1e-5);  ///< Added to the variance.

  template <ShardType X>
  auto operator()(X const& x) const {
    auto const norm = [e = epsilon](auto const& rows, auto const& scale, auto const& shift) {
      auto const centred = rows - mean<-1>(rows, keep);
      return centred * rsqrt(mean<-1>(square(centred), keep) + e) * scale + shift;
    };
    return on_shards(norm)(x, weight, bias);
  }

  template <class Initializer>
  ParallelLayerNorm init_parameters(Initializer& initializer) const {
    return {initializer.ones(weight), initializer.zeros(bias), epsilon};
  }
};

/// Dropout of sharded tensors: the mask is that of `Dropout` of the global tensor for any sharding.
/// The identity without a key. Throws `ValueError` unless the rate is from 0 to 1. Megatron:
/// dropout under its per-rank random states.
struct ParallelDropout {
  float rate = 0.1f;  ///< The probability that an element becomes zero.

  template <ShardType X>
  X const& operator()(X const& x) const {
    return x;
  }
  template <ShardType X>
  auto operator()(X const& x, Key const& key) const {
    if (!(rate >= 0.0f && rate <= 1.0f))
      internal::fail<ValueError>(
          {"ParallelDropout", "rate", "a number from 0 to 1", std::to_string(rate)});
    float const share = 1.0f - rate;
    auto const drawn =
        internal::uniform_part<Sharded<float, X::spec>>(*x.place.topology(), key, x.sizes());
    return where(drawn < share, x * (rate < 1.0f ? 1.0f / share : 0.0f), 0.0f);
  }
};

}  // namespace tenon
