// The GPT that learns to add, 12_gpt, trained by many ranks:
//
//   mpirun -n 4 14_gpt_over_ranks --dp 2 --tp 2
//
// Its weights are divided over the ranks of `tp`, its layers over `pp`, the positions of a text
// over `cp`; the ranks of `dp` learn other lessons. How a tensor is divided is part of its type.
// The loss is that of one rank, whatever the mesh.
//
// test-arguments: --steps 20 --batch 16 --out quick
// test-ranks: 4

#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/dist/average_gradients.hpp>
#include <tenon/dist/parallel_layers.hpp>
#include <tenon/dist/sharded_clip.hpp>
#include <tenon/dist/sharded_init.hpp>
#include <tenon/tenon.hpp>

#include "gpt/addition.hpp"
#include "gpt/exam.hpp"
#include "gpt/mesh.hpp"
#include "gpt/options.hpp"
#include "gpt/progress.hpp"

namespace gpt {

// ---- The model: @tp says what is divided over the ranks of tp. ----------------------------------

using Tokens = Sharded<std::int32_t, "batch t@cp">;
using Stream = Sharded<float, "batch t@cp embed=64">;

auto composed_attention(auto const& q, auto const& own_k, auto const& own_v) {
  auto const k = reshard<"batch key head@tp feature">(
      Sharded<float, "batch key@cp head=4@tp feature=16">(own_k));
  auto const v = reshard<"batch key head@tp feature">(
      Sharded<float, "batch key@cp head=4@tp feature=16">(own_v));
  auto const scores =
      einsum<"batch query head feature, batch key head feature -> batch head query key">(q, k);
  Topology const& mesh = *q.place.topology();
  auto const n = q.sizes()[1];
  auto const seen = shard<"query@cp key">(mesh, iota<Int32<"key">>(n) <= iota<Int32<"query 1">>(n));
  auto const weights =
      softmax<"key">(where(seen, scores / 4.0f, -std::numeric_limits<float>::infinity()));
  return einsum<"batch head query key, batch key head feature -> batch query head feature">(weights,
                                                                                            v);
}

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
    auto const mixed = composed_attention(q, k, v);  // "batch query@cp head=4@tp feature=16"
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

/// Every rank draws its part of the same model as on one rank.
Gpt new_model(Ranks const& mesh, Key const& key, Settings const& settings, std::int64_t words) {
  Gpt model{Entrance(), {Block(), Block()}, Exit()};
  model = on_mesh(mesh, model);
  model.entrance->words.weight = zeros<Sharded<float, "word@tp embed=64">>(mesh, words);
  model.entrance->places.weight = zeros<Sharded<float, "place embed=64">>(mesh, settings.length);
  model.exit->head.weight = zeros<Sharded<float, "embed=64 word@tp">>(mesh, words);
  model.exit->head.bias = zeros<Sharded<float, "word@tp">>(mesh, words);
  return init::normal(key, 0.05, model);
}

// ---- Training -----------------------------------------------------------------------------------

struct Training {
  Gpt model;
  AdamWState<Gpt> optimiser;
  Key key;
  Settings settings;
  std::int64_t step = 0;
  Float64<"step"> losses{};
};

auto scores_of(Gpt const& model, Ranks const& mesh, Int32<"batch t"> const& texts,
               std::int64_t count) {
  Stream x = (*model.entrance)(shard<"batch t@cp">(mesh, texts));
  for (auto const& block : model.blocks) x = (*block)(x);
  return (*model.exit)(x, count);
}

/// How surprised the model is by the answers of some texts: the same on all ranks that share it.
Float32<""> loss_of(Gpt const& model, Ranks const& mesh, Lesson<> const& lesson) {
  auto const scores = scores_of(model, mesh, lesson.text, size<"asked">(lesson.answer));
  return whole(cross_entropy<"word">(scores, replicated(mesh, lesson.answer)));
}

/// The texts of a lesson that this rank and those it shares a model with learn from.
Lesson<> own_part(Lesson<> const& lesson, Group const& data) {
  return {part_of<"batch">(lesson.text, data), part_of<"batch">(lesson.answer, data)};
}

void learn(Training& run, Ranks const& mesh, Lesson<> const& lesson, double rate) {
  auto const adam = AdamW{.beta2 = 0.98, .weight_decay = 0.1};
  Group const& data = mesh.group<"dp">();
  auto const own = own_part(lesson, data);
  auto const [loss, own_gradients] =
      value_and_grad([&](Gpt const& m) { return loss_of(m, mesh, own); })(run.model);
  auto const gradients =
      clip_by_global_norm(average_gradients(own_gradients, data), 1, mesh.group<"pp">());
  std::tie(run.model, run.optimiser) = adam.step(run.model, gradients, run.optimiser, rate);
  run.losses(run.step++) = all_reduce<op::mean>(loss, data).item();
}

// ---- The program --------------------------------------------------------------------------------

/// A model and the ranks that share it, for the exam.
struct Pupil {
  Gpt const& model;
  Ranks const& mesh;
};

Int32<"batch asked"> next_words(Pupil const& pupil, Int32<"batch t"> const& texts) {
  return argmax<"word">(whole(scores_of(pupil.model, pupil.mesh, texts, 1)));
}

Training new_training(Ranks const& mesh, Options const& options) {
  auto const settings = completed(options.settings, Settings{1500, 128, 1, 16});
  auto const [start, draws] = split(Key{settings.seed});
  auto const words = static_cast<std::int64_t>(vocabulary.size());
  auto const model = new_model(mesh, start, settings, words);
  return {.model = model,
          .optimiser = AdamW().init(model),
          .key = draws,
          .settings = settings,
          .losses = zeros<Float64<"step">>(settings.steps)};
}

int train_and_examine(World& world, Options const& options, Shares const& shares) {
  Ranks const mesh = mesh_of(world, shares);
  if (world.rank() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  print(mesh);
  auto run = new_training(mesh, options);
  auto const sums = split_sums(1000);
  WarmupCosine const rate{.peak = 3e-3, .warmup = 100, .steps = run.settings.steps, .floor = 1e-4};
  Progress progress(run.step, run.settings.steps, run.settings.batch * 8);
  while (run.step < run.settings.steps) {
    auto const step = run.step;
    learn(run, mesh, draw_sums(fold_in(run.key, step), sums.seen, run.settings.batch), rate(step));
    progress.step(step + 1, run.losses(step), rate(step));
  }
  progress.end();
  examine(Pupil{run.model, mesh}, sums.unseen);
  return 0;
}

}  // namespace gpt

int main(int count, char** arguments) {
  std::vector<char*> all(arguments, arguments + count);
  return tenon::run([&](tenon::World& world) {
    auto const shares = gpt::take_shares(all);
    auto const options = gpt::parse_options(static_cast<int>(all.size()), all.data());
    return gpt::train_and_examine(world, options, shares);
  });
}
