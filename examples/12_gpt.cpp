// A GPT that learns to add. It sees sums such as "12+34=046", one token at a time, and learns which
// token comes next; then it is examined on sums that it never saw.
//
// test-arguments: --steps 20 --batch 16 --out quick

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

#include "gpt/addition.hpp"
#include "gpt/loss_curve.hpp"
#include "gpt/options.hpp"
#include "gpt/progress.hpp"

namespace gpt {

// ---- The model: plain structs of tensors. Every axis has its name or size in the type. ----------

/// Every position looks at itself and at those before it, and gathers from them what it needs.
struct Attention {
  Float32<"embed=64 head=4 feature=16"> query;   // what a position looks for
  Float32<"embed=64 head=4 feature=16"> key;     // what a position offers
  Float32<"embed=64 head=4 feature=16"> value;   // what it hands over
  Float32<"head=4 feature=16 embed=64"> output;  // from all heads back to the stream

  auto operator()(Float<"batch t embed=64"> auto const& x) const {
    // "batch query head=4 feature=16", and twice "batch key head=4 feature=16"
    auto const q =
        einsum<"batch query embed, embed head feature -> batch query head feature">(x, query);
    auto const k = einsum<"batch key embed, embed head feature -> batch key head feature">(x, key);
    auto const v =
        einsum<"batch key embed, embed head feature -> batch key head feature">(x, value);

    // How well each query matches each key, "batch head=4 query key"; divided by the square root of
    // 16, the number of features. A query sees no key that comes after it: e^-infinity is 0.
    auto const scores =
        einsum<"batch query head feature, batch key head feature -> batch head query key">(q, k);
    auto const length = size<"t">(x);
    auto const seen = iota<Int32<"key">>(length) <= iota<Int32<"query 1">>(length);  // "query key"
    auto const hidden = -std::numeric_limits<float>::infinity();
    auto const weights = softmax<"key">(where(seen, scores / 4.0f, hidden));

    // The values, weighted: "batch query head=4 feature=16"; then "batch t embed=64".
    auto const mixed =
        einsum<"batch head query key, batch key head feature -> batch query head feature">(weights,
                                                                                           v);
    return einsum<"batch t head feature, head feature embed -> batch t embed">(mixed, output);
  }
};

/// Every position thinks about what it has gathered.
struct FeedForward {
  Linear<"embed=64", "hidden=256"> up;
  Linear<"hidden=256", "embed=64"> down;

  auto operator()(Float<"batch t embed=64"> auto const& x) const { return down(gelu(up(x))); }
};

/// One layer: both parts add what they found to the stream that goes through.
struct Block {
  LayerNorm<"embed=64"> attention_norm;
  Attention attention;
  LayerNorm<"embed=64"> feed_forward_norm;
  FeedForward feed_forward;

  auto operator()(Float<"batch t embed=64"> auto const& x) const -> Float32<"batch t embed=64"> {
    Float32<"batch t embed=64"> const y = x + attention(attention_norm(x));
    return y + feed_forward(feed_forward_norm(y));
  }
};

/// From tokens to what comes next: a score for each of the 12 words, after every position.
struct Gpt {
  Embedding<"word=12", "embed=64"> words;
  Embedding<"place=16", "embed=64"> places;
  std::array<Block, 2> blocks;
  LayerNorm<"embed=64"> norm;
  Linear<"embed=64", "word=12"> head;

  auto operator()(Int<"batch t"> auto const& tokens) const -> Float32<"batch t word=12"> {
    auto const place = iota<Int32<"t">>(size<"t">(tokens));  // 0 1 2 …
    Float32<"batch t embed=64"> x = words(tokens) + places(place);
    for (Block const& block : blocks) x = block(x);
    return head(norm(x));
  }
};

// ---- Training -----------------------------------------------------------------------------------

/// How surprised the model is by the answers, in nats a token. It is asked after each of the last
/// three tokens of a text; the questions are random, so there is nothing to learn in them.
auto loss_of(Gpt const& model, Lesson const& lesson) {
  auto const scores = model(lesson.text);                         // "batch t word=12"
  auto const asked = slice<"t", -answer_length, to_end>(scores);  // "batch 3 word=12"
  return cross_entropy<"word">(asked, lesson.answer);
}

/// Trains a model; gives the loss of every step.
std::vector<double> train(Gpt& model, Options const& options, std::vector<Sum> const& sums) {
  auto const rate =
      WarmupCosine{.peak = 3e-3, .warmup = 100, .steps = options.steps, .floor = 1e-4};
  auto const adam = AdamW{.beta2 = 0.98, .weight_decay = 0.1};
  auto state = adam.init(model);
  std::vector<double> losses;
  Progress progress(options.steps, options.batch * (question_length + answer_length - 1));
  for (std::int64_t step = 0; step < options.steps; ++step) {
    auto const lesson = draw_lesson(fold_in(Key{options.seed}, step), sums, options.batch);
    auto const [loss, gradients] =
        value_and_grad([&](Gpt const& m) { return loss_of(m, lesson); })(model);
    std::tie(model, state) = adam.step(model, clip_by_global_norm(gradients, 1), state, rate(step));
    losses.push_back(loss.item());
    progress.step(step + 1, losses.back(), rate(step));
  }
  std::printf("trained in %.0f s\n", progress.seconds());
  return losses;
}

// ---- The exam -----------------------------------------------------------------------------------

/// What the model answers: it reads "12+34=", writes a token, reads that too and writes the next.
std::vector<std::string> answers_of(Gpt const& model, std::vector<Sum> const& sums) {
  std::vector<std::string> texts;
  for (Sum const& sum : sums) texts.push_back(question(sum));
  for (int i = 0; i < answer_length; ++i) {
    auto const scores = model(tokens_of(texts));  // "batch t word=12", t = 6, then 7, then 8
    Int32<"batch 1"> const next = argmax<"word">(slice<"t", -1, to_end>(scores));
    for (std::size_t k = 0; k < texts.size(); ++k)
      texts[k] += vocabulary[static_cast<std::size_t>(next(k, 0))];
  }
  for (std::string& text : texts) text.erase(0, question_length);
  return texts;
}

/// Asks for every sum; prints every hundredth answer, some that are wrong, and how many are right.
void examine(Gpt const& model, std::vector<Sum> const& sums) {
  std::printf("exam: %zu sums that it never saw\n", sums.size());
  auto const answers = answers_of(model, sums);
  std::size_t right = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    bool const is_right = answers[i] == answer(sums[i]);
    right += is_right ? 1 : 0;
    bool const is_shown = i % 100 == 0 || (!is_right && i - right < 10);
    if (!is_shown) continue;
    std::printf("  %s%s  %s\n", question(sums[i]).c_str(), answers[i].c_str(),
                is_right ? "right" : ("wrong: " + answer(sums[i])).c_str());
  }
  double const percent = 100.0 * static_cast<double>(right) / static_cast<double>(sums.size());
  std::printf("%zu of %zu right: %.2f %%\n", right, sums.size(), percent);
}

// ---- The program --------------------------------------------------------------------------------

/// What is about to be done: every tensor of the model with its axes, and the numbers.
void announce(Gpt const& model, Options const& options, Sums const& sums) {
  std::printf("A GPT learns to add two-digit numbers, from texts such as \"12+34=046\".\n\n");
  tree::for_each(
      [](std::string const& path, auto const& leaf) {
        if (!path.starts_with("blocks.1"))
          std::printf("  %-34s float32 \"%s\"\n", path.c_str(), leaf.spec.text);
      },
      model);
  std::printf("  blocks.1 is like blocks.0: %lld parameters in all\n\n",
              static_cast<long long>(tree::elements(model)));
  std::printf("  %zu sums to learn from, %zu for the exam\n", sums.seen.size(), sums.unseen.size());
  std::printf("  %lld steps, each \"batch=%lld t=8\" tokens; seed %lld, %d threads\n\n",
              static_cast<long long>(options.steps), static_cast<long long>(options.batch),
              static_cast<long long>(options.seed), threads());
}

void run(Options const& options) {
  if (options.threads > 0) set_threads(static_cast<int>(options.threads));
  std::filesystem::path const out = options.out;
  std::filesystem::create_directories(out);
  auto const sums = split_sums(1000);
  auto model = init::normal<Gpt>(Key{options.seed}, 0.05);
  save(out / "model.safetensors", model);  // a folder that cannot be written is found out now
  announce(model, options, sums);
  auto const losses = train(model, options, sums.seen);
  examine(model, sums.unseen);
  draw_loss_curve(out / "loss.svg", losses);
  save(out / "model.safetensors", model);
  std::printf("the loss curve is in %s, the model in %s\n", (out / "loss.svg").c_str(),
              (out / "model.safetensors").c_str());
}

}  // namespace gpt

int main(int count, char** arguments) {
  auto const options = gpt::parse_options(count, arguments);
  try {
    gpt::run(options);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "gpt: %s\n", error.what());
    return 1;
  }
}
