// A GPT that learns to add. It is trained on sums such as "12+34=046", one token at a time, to
// predict the next token; then it is tested on sums that were not in the training data. With --text
// it is trained on the bytes of a text, and continues it.
//
// The program runs on the processor, and on every other device whose header is included before this
// line: scripts/demo --device opencl includes <tenon/backend/opencl.hpp>.
//
// test-arguments: --steps 20 --batch 16 --tag quick
// test-config

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <tenon/backend/devices.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/run.hpp>
#include <tenon/train/stop.hpp>

#include "gpt/checkpoint.hpp"
#include "gpt/config.hpp"
#include "gpt/device.hpp"
#include "gpt/results.hpp"
#include "gpt/schedule.hpp"
#include "gpt/task.hpp"

namespace gpt {

// ---- The model: plain structs of tensors. Every axis has its name or size in the type. ----------

/// Causal self-attention: every position attends to itself and to the earlier ones.
template <class D = Cpu>
struct Attention {
  Float32<"embed=64 head=4 feature=16", D> query;   // queries
  Float32<"embed=64 head=4 feature=16", D> key;     // keys
  Float32<"embed=64 head=4 feature=16", D> value;   // values
  Float32<"head=4 feature=16 embed=64", D> output;  // the projection of all heads to the stream

  auto operator()(Float<"batch t embed=64"> auto const& x) const {
    // "batch query head=4 feature=16", and twice "batch key head=4 feature=16"
    auto const q =
        einsum<"batch query embed, embed head feature -> batch query head feature">(x, query);
    auto const k = einsum<"batch key embed, embed head feature -> batch key head feature">(x, key);
    auto const v =
        einsum<"batch key embed, embed head feature -> batch key head feature">(x, value);

    // The score of each query and key, "batch head=4 query key"; divided by the square root of 16,
    // the number of features. A query does not attend to later keys: e^-infinity is 0.
    auto const scores =
        einsum<"batch query head feature, batch key head feature -> batch head query key">(q, k);
    auto const length = size<"t">(x);
    auto const seen =
        iota<Int32<"key", D>>(length) <= iota<Int32<"query 1", D>>(length);  // "query key"
    auto const hidden = -std::numeric_limits<float>::infinity();
    auto const weights = softmax<"key">(where(seen, scores / 4.0f, hidden));

    // The weighted values: "batch query head=4 feature=16"; then "batch t embed=64".
    auto const mixed =
        einsum<"batch head query key, batch key head feature -> batch query head feature">(weights,
                                                                                           v);
    return einsum<"batch t head feature, head feature embed -> batch t embed">(mixed, output);
  }
};

/// A feed-forward layer, applied to every position.
template <class D = Cpu>
struct FeedForward {
  Linear<"embed=64", "hidden=256", D> up;
  Linear<"hidden=256", "embed=64", D> down;

  auto operator()(Float<"batch t embed=64"> auto const& x) const { return down(gelu(up(x))); }
};

/// One layer: both parts add to the residual stream.
template <class D = Cpu>
struct Block {
  LayerNorm<"embed=64", D> attention_norm;
  Attention<D> attention;
  LayerNorm<"embed=64", D> feed_forward_norm;
  FeedForward<D> feed_forward;

  auto operator()(Float<"batch t embed=64"> auto const& x) const -> Float32<"batch t embed=64", D> {
    Float32<"batch t embed=64", D> const y = x + attention(attention_norm(x));
    return y + feed_forward(feed_forward_norm(y));
  }
};

/// From tokens to the scores of the next token at every position. The sizes of the vocabulary and
/// of the positions are run-time sizes, so that one compiled model learns sums and texts.
template <class D = Cpu>
struct Gpt {
  Embedding<"word", "embed=64", D> words;
  Embedding<"place", "embed=64", D> places;
  std::array<Block<D>, 2> blocks;
  LayerNorm<"embed=64", D> norm;
  Linear<"embed=64", "word", D> head;

  auto operator()(Int<"batch t"> auto const& tokens) const -> Float32<"batch t word", D> {
    auto const place = iota<Int32<"t", D>>(size<"t">(tokens));  // 0 1 2 …
    Float32<"batch t embed=64", D> x = words(tokens) + places(place);
    for (Block<D> const& block : blocks) x = block(x);
    return head(norm(x));
  }
};

/// A model before training.
template <class D>
Gpt<D> new_model(Key const& key, std::int64_t length, std::int64_t words) {
  Gpt<D> sizes;
  sizes.words.weight = zeros<Float32<"word embed=64", D>>(words);
  sizes.places.weight = zeros<Float32<"place embed=64", D>>(length);
  sizes.head.weight = zeros<Float32<"embed=64 word", D>>(words);
  sizes.head.bias = zeros<Float32<"word", D>>(words);
  return init::normal(key, 0.05, sizes);
}

// ---- Training -----------------------------------------------------------------------------------

/// The state of a run after a step: one tree, one file.
template <class D>
struct Training {
  Gpt<D> model;
  AdamWState<Gpt<D>> optimiser;
  Key key;  // of the random numbers
  Settings settings;
  std::int64_t step = 0;
  std::uint64_t fingerprint = 0;  // of the training text
  Float64<"step"> losses{};       // zeros for future steps
};

/// The cross-entropy of the answers, in nats per token. For sums the answers are the last three
/// tokens; the questions are random and cannot be predicted.
template <class D>
auto loss_of(Gpt<D> const& model, Lesson<D> const& lesson) {
  auto const scores = model(lesson.text);  // "batch t word"
  return cross_entropy<"word">(last(scores, size<"asked">(lesson.answer)), lesson.answer);
}

/// One step of the optimiser.
template <class D>
training::StepMetrics learn(Training<D>& run, Lesson<D> const& lesson,
                            TrainingConfig const& config) {
  auto const adam = AdamW{.beta2 = 0.98, .weight_decay = config.weight_decay};
  double const rate = rate_of(config)(run.step);
  auto const made = training::train_step(run.model, lesson, loss_of<D>, adam, run.optimiser,
                                         {.clip_norm = config.clip_norm, .rate = rate});
  run.losses(run.step++) = made.loss;
  return {.step = run.step, .loss = made.loss, .rate = rate, .gradient_norm = made.gradient_norm};
}

/// Trains to the end, or until a signal; a checkpoint is saved then, and every 100 steps.
template <class D>
void train(Training<D>& run, Draw const& draw, TrainingConfig const& config,
           training::RunManager& record) {
  training::CheckpointManager checkpoints(record.checkpoints(), {.unit = "step"});
  checkpoints.save(run, run.step);  // fails early if the folder cannot be written
  training::StopRequest const stop;
  training::Terminal output(stdout);
  training::Progress progress(run.settings.steps,
                              {.first = run.step,
                               .items_per_step = static_cast<double>(draw(run.key).text.size()),
                               .unit = "tokens",
                               .terminal = &output});
  auto const last = std::min(run.settings.steps, config.pause.value_or(run.settings.steps));
  while (run.step < last && !stop) {
    auto metrics = learn(run, to<D>(draw(fold_in(run.key, run.step))), config);
    progress.step(run.step, [&] { return "loss " + number(*metrics.loss, "%.3g"); });
    metrics.items_per_second = progress.items_per_second();
    record.metrics(metrics);
    record.log().log_step(metrics);
    if (run.step % config.checkpoint_every == 0) checkpoints.save(run, run.step);
  }
  checkpoints.save(run, run.step);
}

// ---- The program --------------------------------------------------------------------------------

template <class D>
Training<D> new_training(Config const& config) {
  auto const settings = settings_of(config);
  auto const [start, draws] = split(Key{settings.seed});
  auto const model = new_model<D>(start, settings.length, words_of(config));
  return {.model = model,
          .optimiser = AdamW().init(model),
          .key = draws,
          .settings = settings,
          .losses = zeros<Float64<"step">>(settings.steps)};
}

/// The scores and gradients of a model for a lesson, for comparison by other programs.
template <class D>
void save_for_comparison(Gpt<D> const& model, Config const& config) {
  auto const lesson = load<Lesson<D>>(config.lesson);
  auto const gradients = grad([&](Gpt<D> const& m) { return loss_of(m, lesson); })(model);
  std::filesystem::path const folder = config.comparison;
  std::filesystem::create_directories(folder);
  save(folder / "scores.safetensors", model(lesson.text));
  save(folder / "gradients.safetensors", gradients);
}

/// True if training has finished; false if it was interrupted.
template <class D>
bool run(Config const& config) {
  auto run = config.resume.empty()
                 ? new_training<D>(config)
                 : resume<Training<D>>(config, settings_of(config), words_of(config));
  if (!config.lesson.empty()) return save_for_comparison(run.model, config), true;
  auto const task = task_of(run, config);
  training::RunManager record(config, config.tag,
                              {.parent = config.runs,
                               .console = false,  // which has the progress
                               .log_every = 10,
                               .resumed = folder_of(config.resume),
                               .resumed_step = run.step,
                               .devices = IncludedDevices<>::available_names()});
  record.log().info("a GPT learns " + task.title);
  announce(run, task.title);
  train(run, task.draw, config.training, record);
  if (run.step < run.settings.steps) return say_where(run, record.folder()), false;
  task.examine(run, record.folder());
  write_results(run, config, record.folder());
  return true;
}

}  // namespace gpt

int main(int count, char** arguments) {
  try {
    auto config = gpt::resolved(gpt::config_of<gpt::Config>(count, arguments));
    if (config.threads > 0) tenon::set_threads(static_cast<int>(config.threads));
    return tenon::visit_device(gpt::device_of(config), [&](auto device) {
      config.device = device.name;  // recorded, so that the run is repeated there
      return gpt::run<decltype(device)>(config) ? 0 : 130;
    });
  } catch (tenon::training::ConfigError const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "gpt: %s\n", gpt::printable(error.what()).c_str());
    return 1;
  }
}
