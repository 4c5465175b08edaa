#pragma once

// The GPT of 12_gpt with its tensors sharded over a mesh of ranks, as their types declare.

#include <array>
#include <cstdint>
#include <optional>

#include <tenon/distributed/context_parallel/ring_attention.hpp>
#include <tenon/distributed/experts/sharded_experts.hpp>
#include <tenon/distributed/pipeline/pipeline.hpp>
#include <tenon/distributed/sharding/init.hpp>
#include <tenon/distributed/tensor_parallel/layers.hpp>
#include <tenon/tenon.hpp>

#include "addition.hpp"
#include "mesh.hpp"

namespace gpt {

using Tokens = Sharded<std::int32_t, "batch@ep t@cp">;
using Rows = Sharded<float, "batch@ep t@cp embed=64">;

/// The values that are passed from layer to layer.
struct Stream {
  Rows rows;
  Sharded<float, ""> balance;  // the balance loss of the experts so far
};

struct Attention {
  Sharded<float, "embed=64 head=4@tp feature=16"> query;  // each rank has some of the heads
  Sharded<float, "embed=64 head=4@tp feature=16"> key;
  Sharded<float, "embed=64 head=4@tp feature=16"> value;
  Sharded<float, "head=4@tp feature=16 embed=64"> output;

  auto operator()(ShardType auto const& x) const {
    auto const q =
        einsum<"batch query embed, embed head feature -> batch head query feature">(x, query);
    auto const k = einsum<"batch key embed, embed head feature -> batch head key feature">(x, key);
    auto const v =
        einsum<"batch key embed, embed head feature -> batch head key feature">(x, value);
    auto const mixed = scaled_dot_product_attention(q, k, v, is_causal);
    // A sum over all heads, of which each rank has a partial sum.
    return all_reduce(
        einsum<"batch head t feature, head feature embed -> batch t embed">(mixed, output));
  }
};

struct FeedForward {
  ParallelLinear<"embed=64", "hidden=256@tp"> up;
  ParallelLinear<"hidden=256@tp", "embed=64"> down;

  auto operator()(ShardType auto const& x) const { return down(gelu(up(x))); }
};

/// Each token is routed to two experts; each rank of ep has its shard of them.
using Experts = ShardedMixtureOfExperts<"embed=64", "hidden=256@tp", "expert@ep", 2>;

struct Block {
  ParallelLayerNorm<"embed=64"> attention_norm;
  Attention attention;
  ParallelLayerNorm<"embed=64"> feed_forward_norm;
  std::optional<FeedForward> feed_forward;
  std::optional<Experts> experts;  // instead of it

  Stream operator()(Stream const& x) const {
    Rows const y = x.rows + attention(attention_norm(x.rows));
    Rows const z = feed_forward_norm(y);
    if (feed_forward) return {y + (*feed_forward)(z), x.balance};
    auto const mixture = experts->with_losses(z);
    return {y + mixture.value, x.balance + mixture.balance_loss};
  }
};

struct Entrance {
  ParallelEmbedding<"word@tp", "embed=64"> words;
  ParallelEmbedding<"place", "embed=64"> places;

  Stream operator()(Tokens const& tokens) const {
    Topology const& mesh = *tokens.place.topology();
    auto const place = shard<"t@cp">(mesh, iota<Int32<"t">>(tokens.sizes()[1]));
    return {words(tokens) + places(place), replicated(mesh, Float32<"">(0))};
  }
};

struct Exit {
  ParallelLayerNorm<"embed=64"> norm;
  ParallelLinear<"embed=64", "word@tp"> head;

  /// The scores after the last `count` tokens: "batch@ep asked word@tp".
  auto operator()(Rows const& x, std::int64_t count) const {
    auto const texts = reshard<"batch@ep t embed">(x);
    std::int64_t const end = texts.sizes()[1];
    Sharded<float, "batch@ep asked embed=64"> const asked = on_shards([=](auto const& rows) {
      return rename<"t -> asked">(slice<"t">(rows, end - count, end));
    })(texts);
    return head(norm(asked));
  }
};

/// A rank has the layers of its stage of the pipeline.
struct Gpt {
  std::optional<Entrance> entrance;
  std::array<std::optional<Block>, 2> blocks;
  std::optional<Exit> exit;
};

/// A block with the given number of experts; with 0, it has a feed-forward layer.
inline Block new_block(GptMesh const& mesh, std::int64_t experts) {
  Block block;
  if (experts > 0) block.experts = Experts::with_experts(mesh, experts);
  else block.feed_forward = FeedForward();
  return on_mesh(mesh, block);
}

/// The same model as on one rank, of which every rank draws its shard.
inline Gpt new_model(GptMesh const& mesh, Key const& key, std::int64_t length,
                     std::int64_t experts) {
  auto const words = static_cast<std::int64_t>(vocabulary.size());
  Block const block = new_block(mesh, experts);
  Gpt model{on_mesh(mesh, Entrance()), {block, block}, on_mesh(mesh, Exit())};
  model.entrance->words.weight = zeros<Sharded<float, "word@tp embed=64">>(mesh, words);
  model.entrance->places.weight = zeros<Sharded<float, "place embed=64">>(mesh, length);
  model.exit->head.weight = zeros<Sharded<float, "embed=64 word@tp">>(mesh, words);
  model.exit->head.bias = zeros<Sharded<float, "word@tp">>(mesh, words);
  return init::normal(key, 0.05, model);
}

/// The layers of this rank's stage of the pipeline.
inline Gpt own_layers(Gpt model, Stages const& stages) {
  auto const own = layers_of_stage(static_cast<int>(model.blocks.size()), stages);
  if (!stages.is_first()) model.entrance.reset();
  for (int i = 0; auto& block : model.blocks)
    if (!own.contains(i++)) block.reset();
  if (!stages.is_last()) model.exit.reset();
  return model;
}

}  // namespace gpt
