// The GPT that learns to add, 12_gpt, trained by many ranks:
//
//   mpirun -n 4 14_gpt_over_ranks --dp 2 --tp 2
//
// Its heads, hidden units and vocabulary are sharded over the ranks of `tp`, its layers over `pp`,
// the positions of a text over `cp`, experts and lessons over `ep`; the ranks of `dp` have
// different lessons. The sharding of a tensor is part of its type. The loss is that of one rank,
// for every mesh.
//
// test-arguments: --steps 20 --batch 16 --out quick
// test-ranks: 4

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/distributed/checkpoint/checkpoint.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>
#include <tenon/distributed/pipeline/pipeline.hpp>
#include <tenon/distributed/sharding/clip_gradients.hpp>
#include <tenon/tenon.hpp>

#include "gpt/addition.hpp"
#include "gpt/checkpoint.hpp"
#include "gpt/exam.hpp"
#include "gpt/mesh.hpp"
#include "gpt/options.hpp"
#include "gpt/parallel_model.hpp"
#include "gpt/progress.hpp"
#include "gpt/results.hpp"
#include "gpt/stop.hpp"

namespace gpt {

namespace fs = std::filesystem;

// ---- Training -----------------------------------------------------------------------------------

/// The state of a run after a step. Every rank holds its shard of it.
struct Training {
  Gpt model;
  AdamWState<Gpt> optimiser;
  Key key;
  Settings settings;
  std::int64_t step = 0;
  Float64<"step"> losses{};
};

/// A stage of the pipeline applies its layers to the stream.
Stream through(Gpt const& model, Stream x) {
  for (auto const& block : model.blocks)
    if (block) x = (*block)(x);
  return x;
}

using Verdict = std::pair<Float32<"">, Gpt>;  // a loss and its gradient

/// The mean over all micro-batches of a lesson; each is computed by the ranks that share one model.
/// Micro-batches are summed in the same order for every distribution, so that the bits do not
/// depend on `dp`. (Micro-batches of one pipeline are summed in the pipeline.)
Verdict loss_and_gradients(Gpt const& model, GptMesh const& mesh, Pieces const& pieces) {
  Stages const stages(mesh, "pp");
  Group const& data = mesh.group<"dp">();
  int const own = pieces.count / data.size(), at_once = stages.size() > 1 ? own : 1;
  DeterministicSum sum;
  for (int first = data.rank() * own; first < (data.rank() + 1) * own; first += at_once) {
    auto const enter = [&](Gpt const& m, int i) {
      return (*m.entrance)(shard<"batch@ep t@cp">(mesh, pieces[first + i].text));
    };
    auto const loss_of = [&](Gpt const& m, Stream const& x, int i) {
      auto const answer = shard<"batch@ep asked">(mesh, pieces[first + i].answer);
      auto const scores = (*m.exit)(x.rows, answer.sizes()[1]);
      return unshard(cross_entropy<"word">(scores, answer) + 0.01f * x.balance);
    };
    sum.add(first / at_once,
            pipelined_value_and_grad(model, at_once, stages, enter, through, loss_of));
  }
  return sum.mean(Verdict{{}, model}, data);
}

WarmupCosine rate_of(Settings const& settings) {
  return {.peak = 3e-3, .warmup = 100, .steps = settings.steps, .floor = 1e-4};
}

void learn(Training& run, GptMesh const& mesh, Pieces const& pieces) {
  auto const adam = AdamW{.beta2 = 0.98, .weight_decay = 0.1};
  auto const [loss, gradients] = loss_and_gradients(run.model, mesh, pieces);
  std::tie(run.model, run.optimiser) =
      adam.step(run.model, clip_by_global_norm(gradients, 1, mesh.group<"pp">()), run.optimiser,
                rate_of(run.settings)(run.step));
  run.losses(run.step++) = loss.item();
}

fs::path checkpoints_of(Options const& options) {
  if (!options.checkpoint.empty()) return options.checkpoint;
  return fs::path(options.out) / "checkpoints";
}

/// Checkpoints of another run are kept: `checkpoints` becomes `checkpoints.before`.
void put_aside(fs::path const& folder, GptMesh const& mesh) {
  fs::path const kept = folder.string() + ".before";
  if (mesh.group().rank() > 0 || !fs::is_directory(folder)) return;
  fs::remove_all(kept);
  fs::rename(folder, kept);
}

/// Trains to the end, or until a rank gets a signal. Checkpoints are written by all ranks.
void train(Training& run, GptMesh const& mesh, std::vector<Sum> const& sums, Shares const& shares,
           Options const& options) {
  StopRequest const stop;
  save_shards(checkpoints_of(options), run, mesh);  // fails early if the folder cannot be written
  auto const& [steps, batch, seed, length] = run.settings;
  Progress progress(run.step, steps, batch * (question_length + answer_length - 1));
  while (run.step < std::min(steps, options.pause) && !on_any_rank(bool(stop), mesh)) {
    auto const lesson = draw_sums(fold_in(run.key, run.step), sums, batch);
    learn(run, mesh, {lesson, static_cast<int>(shares.pieces)});
    progress.step(run.step, run.losses(run.step - 1), rate_of(run.settings)(run.step - 1));
    if (run.step % 100 == 0) save_shards(checkpoints_of(options), run, mesh);
  }
  save_shards(checkpoints_of(options), run, mesh);
  progress.end();
}

// ---- The program --------------------------------------------------------------------------------

/// A model and the ranks that share it, for the exam.
struct Pupil {
  Gpt const& model;
  GptMesh const& mesh;
};

Int32<"batch asked"> next_words(Pupil const& pupil, Int32<"batch t"> const& texts) {
  auto const enter = [&](Gpt const& m, int) {
    return (*m.entrance)(shard<"batch@ep t@cp">(pupil.mesh, texts));
  };
  auto const choose = [](Gpt const& m, Stream const& x, int) {
    return argmax<"word">(unshard((*m.exit)(x.rows, 1)));
  };
  return pipelined_forward(pupil.model, 1, Stages(pupil.mesh, "pp"), enter, through, choose)[0];
}

/// The settings with which a checkpoint's run started.
Settings settings_of(GptMesh const& mesh, Options const& options) {
  struct Known {
    Settings settings;
  };
  auto const usual = completed(options.settings, Settings{1500, 128, 1, 16});
  if (!options.resume) return usual;
  auto const known = load_shards(checkpoints_of(options), Known(), mesh, {.ignore_extra = true});
  check_settings(checkpoints_of(options).string(), known.settings, options.settings);
  return known.settings;
}

/// A new run, or one loaded from a checkpoint of any mesh.
Training begun(GptMesh const& mesh, Options const& options, std::int64_t experts) {
  auto const settings = settings_of(mesh, options);
  auto const [start, draws] = split(Key{settings.seed});
  auto const model = own_layers(new_model(mesh, start, settings, experts), Stages(mesh, "pp"));
  Training run{.model = model,
               .optimiser = AdamW().init(model),
               .key = draws,
               .settings = settings,
               .losses = zeros<Float64<"step">>(settings.steps)};
  if (!options.resume) return put_aside(checkpoints_of(options), mesh), run;
  run = load_shards(checkpoints_of(options), run, mesh);
  if (run.step != run.optimiser.steps.item() || run.step > settings.steps)
    refuse(checkpoints_of(options).string(), "the state after one step, got parts of several");
  return run;
}

/// True if training has finished; false if it was interrupted.
bool run(World const& world, Options const& options, Shares const& shares) {
  GptMesh const mesh = mesh_of(world, shares);
  print(mesh);
  auto run = begun(mesh, options, shares.experts);
  check_pieces(shares, run.settings, mesh);
  auto const sums = split_sums(1000);
  train(run, mesh, sums.seen, shares, options);
  if (world.rank() == 0) write_losses(fs::path(options.out) / "losses.txt", run.losses, run.step);
  if (run.step < run.settings.steps) return say_where(run, checkpoints_of(options)), false;
  examine(Pupil{run.model, mesh}, sums.unseen);
  return true;
}

}  // namespace gpt

int main(int count, char** arguments) try {
  std::vector<char*> all(arguments, arguments + count);
  auto const shares = gpt::take_shares(all);
  auto const options = gpt::parse_options(static_cast<int>(all.size()), all.data());
  return tenon::run([&](tenon::World& world) {
    gpt::share_machine(world, options.threads);
    bool const is_done = gpt::run(world, options, shares);
    return is_done || world.rank() > 0 ? 0 : 130;  // (a rank that fails ends the others)
  });
} catch (gpt::Refusal const& refusal) {
  std::fprintf(stderr, "gpt: %s\n", gpt::printable(refusal.what()).c_str());
  return 1;
}
