// A GPT that learns to add. It is trained on sums such as "12+34=046", one token at a time, to
// predict the next token; then it is tested on sums that were not in the training data. With --text
// it is trained on the bytes of a text, and continues it.
//
// The program runs on the processor, and on every other device whose header is included before this
// line: scripts/demo --device opencl includes <tenon/backend/opencl.hpp>.
//
// test-arguments: --steps 20 --batch 16 --out quick

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
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

#include "gpt/checkpoint.hpp"
#include "gpt/options.hpp"
#include "gpt/progress.hpp"
#include "gpt/results.hpp"
#include "gpt/stop.hpp"
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
Gpt<D> new_model(Key const& key, Settings const& settings, std::int64_t words) {
  Gpt<D> sizes;
  sizes.words.weight = zeros<Float32<"word embed=64", D>>(words);
  sizes.places.weight = zeros<Float32<"place embed=64", D>>(settings.length);
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

/// The loss and its gradient.
template <class D>
auto loss_and_gradients(Gpt<D> const& model, Lesson<D> const& lesson) {
  return value_and_grad([&](Gpt<D> const& m) { return loss_of(m, lesson); })(model);
}

WarmupCosine rate_of(Settings const& settings) {
  return {.peak = 3e-3, .warmup = 100, .steps = settings.steps, .floor = 1e-4};
}

/// One step of the optimiser.
template <class D>
void learn(Training<D>& run, Lesson<D> const& lesson) {
  auto const adam = AdamW{.beta2 = 0.98, .weight_decay = 0.1};
  auto const [loss, gradients] = loss_and_gradients(run.model, lesson);
  std::tie(run.model, run.optimiser) = adam.step(run.model, clip_by_global_norm(gradients, 1),
                                                 run.optimiser, rate_of(run.settings)(run.step));
  run.losses(run.step++) = loss.item();
}

/// Trains to the end, or until a signal; a checkpoint is saved then, and every 100 steps.
template <class D>
void train(Training<D>& run, Draw const& draw, std::int64_t end, StopRequest const& stop,
           std::filesystem::path const& checkpoint) {
  auto const rate = rate_of(run.settings);
  Progress progress(run.step, run.settings.steps, draw(run.key).text.size());
  while (run.step < end && !stop) {
    auto const step = run.step;
    learn(run, to<D>(draw(fold_in(run.key, step))));
    progress.step(step + 1, run.losses(step), rate(step));
    if (run.step % 100 == 0) save(checkpoint, run);
  }
  save(checkpoint, run);
  progress.end();
}

// ---- The program --------------------------------------------------------------------------------

template <class D>
Training<D> new_training(Options const& options) {
  Settings const usual =
      options.text.empty() ? Settings{1500, 128, 1, 16} : Settings{3000, 16, 1, 64};
  auto const settings = completed(options.settings, usual);
  auto const [start, draws] = split(Key{settings.seed});
  auto const model = new_model<D>(start, settings, words_of(options));
  return {.model = model,
          .optimiser = AdamW().init(model),
          .key = draws,
          .settings = settings,
          .losses = zeros<Float64<"step">>(settings.steps)};
}

/// The scores and gradients of a model for a lesson, for comparison by other programs.
template <class D>
void judge(Gpt<D> const& model, Options const& options) {
  auto const lesson = load<Lesson<D>>(options.lesson);
  auto const gradients = loss_and_gradients(model, lesson).second;
  std::filesystem::path const folder = options.verdict;
  std::filesystem::create_directories(folder);
  save(folder / "scores.safetensors", model(lesson.text));
  save(folder / "gradients.safetensors", gradients);
}

/// True if training has finished; false if it was interrupted.
template <class D>
bool run(Options const& options) {
  auto const checkpoint = checkpoint_of(options);
  bool const begins = !options.resume && options.lesson.empty();
  auto run = begins ? new_training<D>(options)
                    : load_checkpoint<Training<D>>(checkpoint, options, words_of(options));
  if (!options.lesson.empty()) return judge(run.model, options), true;
  auto const task = task_of(run, options);
  std::filesystem::create_directories(options.out);
  if (begins) put_aside(checkpoint);
  {
    StopRequest const stop;
    save(checkpoint, run);  // fails early if the folder cannot be written
    announce(run, task.title);
    train(run, task.draw, std::min(run.settings.steps, options.pause), stop, checkpoint);
  }
  if (run.step < run.settings.steps) return say_where(run, checkpoint), false;
  task.examine(run);
  write_results(run, options);
  return true;
}

using Devices = IncludedDevices<>;

DeviceChoice<Devices> device_of(Options const& options) {
  return options.device.empty() ? default_device<Devices>() : device_named<Devices>(options.device);
}

}  // namespace gpt

int main(int count, char** arguments) {
  try {
    auto const options = gpt::parse_options(count, arguments);
    if (options.threads > 0) tenon::set_threads(static_cast<int>(options.threads));
    return tenon::visit_device(gpt::device_of(options), [&](auto device) {
      return gpt::run<decltype(device)>(options) ? 0 : 130;
    });
  } catch (std::exception const& error) {
    std::fprintf(stderr, "gpt: %s\n", gpt::printable(error.what()).c_str());
    return 1;
  }
}
