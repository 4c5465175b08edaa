// The GPT that learns to add, 12_gpt, trained by many ranks:
//
//   mpirun -n 4 14_gpt_over_ranks --dp 2 --tp 2
//
// Its heads, hidden units and vocabulary are sharded over the ranks of `tp`, its layers over `pp`,
// the positions of a text over `cp`, experts and lessons over `ep`; the ranks of `dp` have
// different lessons. The sharding of a tensor is part of its type. The loss is that of one rank,
// for every mesh.
//
// test-arguments: --steps 20 --batch 16 --tag quick
// test-config
// test-ranks: 4

#include <cstdint>
#include <cstdio>
#include <exception>
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
#include <tenon/train/run_over_ranks.hpp>
#include <tenon/train/stop_over_ranks.hpp>

#include "gpt/addition.hpp"
#include "gpt/checkpoint.hpp"
#include "gpt/exam.hpp"
#include "gpt/mesh.hpp"
#include "gpt/parallel_model.hpp"
#include "gpt/results.hpp"
#include "gpt/schedule.hpp"

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
  auto const pipeline = stages.mesh->independent("dp");  // each has other micro-batches
  DeterministicSum sum;
  for (int first = data.rank() * own; first < (data.rank() + 1) * own; first += at_once) {
    auto const enter = [&](Gpt const& m, int i) {
      return (*m.entrance)(shard<"batch@ep t@cp">(pipeline, pieces[first + i].text));
    };
    auto const loss_of = [&](Gpt const& m, Stream const& x, int i) {
      auto const answer = shard<"batch@ep asked">(pipeline, pieces[first + i].answer);
      auto const scores = (*m.exit)(x.rows, answer.sizes()[1]);
      return unshard(cross_entropy<"word">(scores, answer) + 0.01f * x.balance);
    };
    sum.add(first / at_once,
            pipelined_value_and_grad(model, at_once, stages, enter, through, loss_of));
  }
  return sum.mean(Verdict{{}, model}, data);
}

training::StepMetrics learn(Training& run, GptMesh const& mesh, Pieces const& pieces,
                            TrainingConfig const& config) {
  double const rate = rate_of(config)(run.step);
  auto const adam = AdamW{.beta2 = 0.98, .weight_decay = config.weight_decay};
  auto const [loss, gradients] = loss_and_gradients(run.model, mesh, pieces);
  std::tie(run.model, run.optimiser) =
      adam.step(run.model, clip_by_global_norm(gradients, config.clip_norm, mesh.group<"pp">()),
                run.optimiser, rate);
  run.losses(run.step++) = loss.item();
  return {.step = run.step, .loss = loss.item(), .rate = rate};
}

/// The progress of a run; the first rank shows it.
training::Progress progress_of(Training const& run, GptMesh const& mesh,
                               training::Terminal& output) {
  auto const tokens = run.settings.batch * (question_length + answer_length - 1);
  return training::Progress(run.settings.steps, {.first = run.step,
                                                 .items_per_step = static_cast<double>(tokens),
                                                 .unit = "tokens",
                                                 .is_shown = mesh.group().rank() == 0,
                                                 .terminal = &output});
}

/// Trains to the end, or until a rank gets a signal. Checkpoints are written by all ranks.
void train(Training& run, GptMesh const& mesh, std::vector<Sum> const& sums,
           ConfigOverRanks const& config, training::RunManager& record) {
  training::StopRequest const stop;
  auto const folder = record.checkpoints();
  save_shards(folder, run, mesh);  // fails early if the folder cannot be written
  training::Terminal output(stdout);
  training::Progress progress = progress_of(run, mesh, output);
  auto const pieces = static_cast<int>(config.mesh.pieces);
  auto const last =
      std::min(run.settings.steps, config.training.pause.value_or(run.settings.steps));
  while (run.step < last && !training::on_any_rank(bool(stop), mesh.group())) {
    auto const lesson = draw_sums(fold_in(run.key, run.step), sums, run.settings.batch);
    auto metrics = learn(run, mesh, {lesson, pieces}, config.training);
    progress.step(run.step, [&] { return "loss " + number(*metrics.loss, "%.3g"); });
    metrics.items_per_second = progress.items_per_second();
    record.metrics(metrics);
    record.log().log_step(metrics);
    if (run.step % config.training.checkpoint_every == 0) save_shards(folder, run, mesh);
  }
  save_shards(folder, run, mesh);
}

// ---- The program --------------------------------------------------------------------------------

/// A model and the ranks that share it, for the exam.
struct Pupil {
  Gpt const& model;
  GptMesh const& mesh;
};

Int32<"batch asked"> next_words(Pupil const& pupil, Int32<"batch t"> const& texts) {
  Stages const stages(pupil.mesh, "pp");
  auto const enter = [&](Gpt const& m, int) {
    return (*m.entrance)(shard<"batch@ep t@cp">(*stages.mesh, texts));
  };
  auto const choose = [](Gpt const& m, Stream const& x, int) {
    return argmax<"word">(unshard((*m.exit)(x.rows, 1)));
  };
  return pipelined_forward(pupil.model, 1, stages, enter, through, choose)[0];
}

/// A new run, or one loaded from a checkpoint of any mesh.
Training begun(GptMesh const& mesh, ConfigOverRanks const& config) {
  Settings const settings{*config.training.steps, *config.training.batch, config.seed, 16};
  auto const [start, draws] = split(Key{settings.seed});
  auto const model =
      own_layers(new_model(mesh, start, settings.length, config.mesh.experts), Stages(mesh, "pp"));
  Training run{.model = model,
               .optimiser = AdamW().init(model),
               .key = draws,
               .settings = settings,
               .losses = zeros<Float64<"step">>(settings.steps)};
  if (config.resume.empty()) return run;
  fs::path const folder = fs::path(config.resume) / "checkpoints";
  run = load_shards(folder, run, mesh);
  check_settings(folder.string(), run.settings, settings);
  if (run.step != run.optimiser.steps.item() || run.step > settings.steps)
    refuse(folder.string(), "the state after one step, got parts of several");
  return run;
}

/// True if training has finished; false if it was interrupted.
bool run(World const& world, ConfigOverRanks const& config) {
  GptMesh const mesh = mesh_of(world, config.mesh);
  print(mesh);
  auto run = begun(mesh, config);
  check_pieces(config.mesh, run.settings.batch, mesh);
  auto const sums = split_sums(1000);
  auto record = training::run_over_ranks(world, config, config.tag,
                                         {.parent = config.runs,
                                          .console = false,
                                          .log_every = 10,
                                          .resumed = config.resume,
                                          .resumed_step = run.step});
  train(run, mesh, sums.seen, config, record);
  if (world.rank() == 0) write_losses(record.folder() / "losses.txt", run.losses, run.step);
  if (run.step < run.settings.steps) return say_where(run, record.folder()), false;
  examine(Pupil{run.model, mesh}, sums.unseen);
  return true;
}

/// The configuration with the defaults of the task.
ConfigOverRanks resolved(ConfigOverRanks config) {
  if (!config.training.steps) config.training.steps = 1500;
  if (!config.training.batch) config.training.batch = 128;
  return config;
}

}  // namespace gpt

int main(int count, char** arguments) try {
  auto const config = gpt::resolved(gpt::config_of<gpt::ConfigOverRanks>(count, arguments));
  return tenon::run([&](tenon::World& world) {
    gpt::share_machine(world, config.threads);
    bool const is_done = gpt::run(world, config);
    return is_done || world.rank() > 0 ? 0 : 130;  // (a rank that fails ends the others)
  });
} catch (std::exception const& error) {
  std::fprintf(stderr, "gpt: %s\n", gpt::printable(error.what()).c_str());
  return 1;
}
