#pragma once

// The GPT of 12_gpt with its tensors divided over a mesh of ranks: each type says how.

#include <array>
#include <cstdint>
#include <optional>

#include <tenon/dist/parallel_layers.hpp>
#include <tenon/dist/pipeline.hpp>
#include <tenon/dist/ring_attention.hpp>
#include <tenon/dist/sharded_init.hpp>
#include <tenon/tenon.hpp>

#include "addition.hpp"
#include "mesh.hpp"

namespace gpt {

using Tokens = Sharded<std::int32_t, "batch t@cp">;
using Stream = Sharded<float, "batch t@cp embed=64">;

struct Attention {
  Sharded<float, "embed=64 head=4@tp feature=16"> query;  // each rank has some of the heads
  Sharded<float, "embed=64 head=4@tp feature=16"> key;
  Sharded<float, "embed=64 head=4@tp feature=16"> value;
  Sharded<float, "head=4@tp feature=16 embed=64"> output;

  auto operator()(ShardType auto const& x) const {
    auto const q =
        einsum<"batch query embed, embed head feature -> batch query head feature">(x, query);
    auto const k = einsum<"batch key embed, embed head feature -> batch key head feature">(x, key);
    auto const v =
        einsum<"batch key embed, embed head feature -> batch key head feature">(x, value);
    auto const mixed = causal_attention(q, k, v);  // "batch query@cp head=4@tp feature=16"
    // A sum over all heads: each rank has a part of it.
    return all_reduce(
        einsum<"batch t head feature, head feature embed -> batch t embed">(mixed, output));
  }
};

struct FeedForward {
  ParallelLinear<"embed=64", "hidden=256@tp"> up;
  ParallelLinear<"hidden=256@tp", "embed=64"> down;

  auto operator()(ShardType auto const& x) const { return down(gelu(up(x))); }
};

struct Block {
  ParallelLayerNorm<"embed=64"> attention_norm;
  Attention attention;
  ParallelLayerNorm<"embed=64"> feed_forward_norm;
  FeedForward feed_forward;

  Stream operator()(Stream const& x) const {
    Stream const y = x + attention(attention_norm(x));
    return y + feed_forward(feed_forward_norm(y));
  }
};

struct Entrance {
  ParallelEmbedding<"word@tp", "embed=64"> words;
  ParallelEmbedding<"place", "embed=64"> places;

  Stream operator()(Tokens const& tokens) const {
    Topology const& mesh = *tokens.place.topology();
    auto const place = shard<"t@cp">(mesh, iota<Int32<"t">>(tokens.sizes()[1]));
    return words(tokens) + places(place);
  }
};

struct Exit {
  ParallelLayerNorm<"embed=64"> norm;
  ParallelLinear<"embed=64", "word@tp"> head;

  /// The scores after so many of the last tokens: "batch asked word@tp".
  auto operator()(Stream const& x, std::int64_t count) const {
    auto const texts = reshard<"batch t embed">(x);
    std::int64_t const end = texts.sizes()[1];
    Sharded<float, "batch asked embed=64"> const asked =
        on_shards([=](auto const& rows) { return slice<"t">(rows, end - count, end); })(texts);
    return head(norm(asked));
  }
};

/// A rank has those layers that its stage of the pipeline computes.
struct Gpt {
  std::optional<Entrance> entrance;
  std::array<std::optional<Block>, 2> blocks;
  std::optional<Exit> exit;
};

/// The same model as on one rank, of which every rank draws its part.
Gpt new_model(GptMesh const& mesh, Key const& key, Settings const& settings) {
  auto const words = static_cast<std::int64_t>(vocabulary.size());
  Gpt model = on_mesh(mesh, Gpt{Entrance(), {Block(), Block()}, Exit()});
  model.entrance->words.weight = zeros<Sharded<float, "word@tp embed=64">>(mesh, words);
  model.entrance->places.weight = zeros<Sharded<float, "place embed=64">>(mesh, settings.length);
  model.exit->head.weight = zeros<Sharded<float, "embed=64 word@tp">>(mesh, words);
  model.exit->head.bias = zeros<Sharded<float, "word@tp">>(mesh, words);
  return init::normal(key, 0.05, model);
}

/// The layers of this rank's stage of the pipeline.
Gpt own_layers(Gpt model, Stages const& stages) {
  auto const own = layers_of_stage(static_cast<int>(model.blocks.size()), stages);
  if (!stages.is_first()) model.entrance.reset();
  for (int i = 0; auto& block : model.blocks)
    if (!own.contains(i++)) block.reset();
  if (!stages.is_last()) model.exit.reset();
  return model;
}

}  // namespace gpt
