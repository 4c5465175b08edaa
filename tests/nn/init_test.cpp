#include "checks.hpp"

namespace init_test {

using namespace tenon;

namespace {

/// A user-defined layer, drawn as a whole.
struct Loose {
  Float32<"in=40 out=50"> weight;
  Float32<"out=50"> bias;
};

/// A layer with its own initialisation.
struct Scaled {
  Float32<"n=3"> scale;
  Float32<"n=3"> shift;
  Linear<"n=3", "m=2"> rest;
  int count = 5;

  template <class Initializer>
  Scaled init_parameters(Initializer& initializer) const {
    return {initializer.ones(scale), initializer.zeros(shift), initializer(rest), count};
  }
};

/// A struct with default values.
template <class D>
struct RMSNorm {
  Float32<"n=96", D> gamma = ones<Float32<"n=96", D>>();
  Float32<"n=96", D> beta;
  Float32<"", D> epsilon = 1e-5f;
};
template <class D>
struct WithDefaults {
  Float32<"n=96 m=4", D> weight;
  Float32<"m=4", D> bias = full<Float32<"m=4", D>>(0.25f);
  RMSNorm<D> first{full<Float32<"n=96", D>>(2.0f), {}, 1e-5f};
  RMSNorm<D> second;
  std::vector<RMSNorm<D>> more;
  std::optional<RMSNorm<D>> last;
  std::optional<Float32<"3", D>> scale = full<Float32<"3", D>>(3.0f);
};

template <class D>
struct Model {
  Embedding<"vocab=50", "embed=32", float, D> tokens;
  std::array<TransformerEncoderLayer<"embed=32", 4, "hidden=64", op::Gelu, float, D>, 2> blocks;
  LayerNorm<"embed=32", float, D> norm;
  Float32<"embed=32 vocab=50", D> head;
};

template <class Tensor>
double deviation(Tensor const& tensor) {
  double sum = 0;
  for (double const number : naive::numbers(tensor)) sum += number * number;
  return std::sqrt(sum / static_cast<double>(tensor.size()));
}

template <class Tensor>
bool all_are(Tensor const& tensor, double value) {
  auto const all = naive::numbers(tensor);
  return std::all_of(all.begin(), all.end(), [=](double number) { return number == value; });
}

template <class Tree>
naive::Numbers every_number(Tree const& tree) {
  naive::Numbers all;
  tenon::tree::for_each(
      [&](auto const& leaf) {
        auto const more = naive::numbers(leaf);
        all.insert(all.end(), more.begin(), more.end());
      },
      tree);
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("the initialisation of GPT-2", D, Cpu, Reference) {
  auto const model = tenon::init::gpt2<Model<D>>(Key(1), 8);
  CHECK(deviation(model.tokens.weight) == doctest::Approx(0.02).epsilon(0.1));
  CHECK(deviation(model.head) == doctest::Approx(0.02).epsilon(0.1));
  for (auto const& block : model.blocks) {
    CHECK(deviation(block.self_attn.query.weight) == doctest::Approx(0.02).epsilon(0.1));
    CHECK(deviation(block.self_attn.output.weight) == doctest::Approx(0.005).epsilon(0.1));
    CHECK(deviation(block.linear1.weight) == doctest::Approx(0.02).epsilon(0.1));
    CHECK(deviation(block.linear2.weight) == doctest::Approx(0.005).epsilon(0.1));
    CHECK(all_are(block.self_attn.key.bias, 0));
    CHECK(all_are(block.linear2.bias, 0));
    CHECK(all_are(block.norm1.weight, 1));
    CHECK(all_are(block.norm2.bias, 0));
  }
  CHECK(all_are(model.norm.weight, 1));
}

TEST_CASE_TEMPLATE("the key determines the values, and no two tensors are equal", D, Cpu,
                   Reference) {
  auto const model = tenon::init::normal<Model<D>>(Key(1), 0.5f);
  CHECK(every_number(model) == every_number(tenon::init::normal<Model<D>>(Key(1), 0.5f)));
  CHECK(every_number(model) != every_number(tenon::init::normal<Model<D>>(Key(2), 0.5f)));
  auto const& [first, second] = model.blocks;
  CHECK(deviation(first.self_attn.output.weight) == doctest::Approx(0.5).epsilon(0.1));
  CHECK(naive::numbers(first.self_attn.query.weight) != naive::numbers(first.self_attn.key.weight));
  CHECK(naive::numbers(first.self_attn.query.weight) !=
        naive::numbers(second.self_attn.query.weight));
}

TEST_CASE("initialisation is the same on every device") {
  CHECK(every_number(tenon::init::normal<Model<Cpu>>(Key(3), 0.1f)) ==
        every_number(tenon::init::normal<Model<Reference>>(Key(3), 0.1f)));
}

TEST_CASE("tensors outside of known layers are drawn") {
  auto const plain = tenon::init::normal<Loose>(Key(1), 2.0f);
  CHECK(deviation(plain.weight) == doctest::Approx(2.0).epsilon(0.05));
  CHECK(deviation(plain.bias) == doctest::Approx(2.0).epsilon(0.3));
}

TEST_CASE_TEMPLATE("default values of a struct are kept", D, Cpu, Reference) {
  auto const model = tenon::init::normal<WithDefaults<D>>(Key(1), 0.5f);
  CHECK(deviation(model.weight) == doctest::Approx(0.5).epsilon(0.1));
  CHECK(all_are(model.bias, 0.25));
  CHECK(all_are(model.first.gamma, 2));
  CHECK(all_are(model.second.gamma, 1));
  CHECK(all_are(model.second.epsilon, 1e-5f));
  CHECK(deviation(model.second.beta) == doctest::Approx(0.5).epsilon(0.3));
  CHECK(all_are(*model.scale, 3));
  CHECK(all_are(tenon::init::gpt2<WithDefaults<D>>(Key(1), 3).second.gamma, 1));
}

TEST_CASE("elements of vectors and optionals have the default values of their own type") {
  WithDefaults<Cpu> like;
  like.more.resize(2), like.last.emplace();
  auto const model = tenon::init::normal(Key(1), 0.5f, like);
  CHECK(all_are(model.more[1].gamma, 1));
  CHECK(deviation(model.more[1].beta) > 0);
  CHECK(all_are(model.last->gamma, 1));
  CHECK(deviation(model.last->beta) > 0);
}

TEST_CASE("a default with run-time sizes is that of the given model") {
  struct Row {
    Float32<"n"> gamma = ones<Float32<"n">>(2);
    Float32<"n"> weight;
  };
  Row const like{full<Float32<"n">>(5.0f, 7), zeros<Float32<"n">>(7)};
  auto const row = tenon::init::normal(Key(1), 0.5f, like);
  CHECK(row.gamma.size() == 7);
  CHECK(all_are(row.gamma, 5));
  CHECK(deviation(row.weight) > 0);
}

TEST_CASE("a layer may define its initialisation") {
  auto const layers = tenon::init::normal<std::array<Scaled, 2>>(Key(1), 2.0f);
  CHECK(all_are(layers[1].scale, 1));
  CHECK(all_are(layers[1].shift, 0));
  CHECK(deviation(layers[1].rest.weight) > 0);
  CHECK(all_are(layers[1].rest.bias, 0));
  CHECK(layers[1].count == 5);
}

TEST_CASE("run-time sizes are those of the given model") {
  Linear<"in", "out=3"> const empty{zeros<Float32<"in out=3">>(7), {}};
  auto const layer = tenon::init::normal(Key(1), 0.02f, empty);
  CHECK(layer.weight.sizes()[0] == 7);
  CHECK(deviation(layer.weight) > 0);
  CHECK(tenon::init::gpt2(Key(1), 3, empty).weight.sizes()[0] == 7);
  CHECK(tenon::init::zeros(empty).weight.sizes()[0] == 7);
}

TEST_CASE("init::zeros sets everything to zero") {
  CHECK(all_are(tenon::init::zeros<LayerNorm<"n=3">>().weight, 0));
  CHECK(every_number(tenon::init::zeros<Loose>()) == naive::Numbers(2050, 0.0));
}

TEST_CASE("16-bit and double tensors are drawn as well") {
  auto const half = tenon::init::normal<BFloat16<"n=1000">>(Key(1), 0.02f);
  double sum = 0;
  for (std::int64_t i = 0; i < 1000; ++i) sum += std::pow(float(half.data()[i]), 2);
  CHECK(std::sqrt(sum / 1000) == doctest::Approx(0.02).epsilon(0.1));
  CHECK(deviation(tenon::init::normal<Float64<"n=1000">>(Key(1), 0.02)) ==
        doctest::Approx(0.02).epsilon(0.1));
}

TEST_CASE("leaves that are not learned are unchanged") {
  struct Partly {
    Frozen<Float32<"n=3">> table = full<Float32<"n=3">>(7.0f);
    Int32<"n=3"> ids{1, 2, 3};
    Float32<"n=3"> weight;
  };
  auto const model = tenon::init::normal<Partly>(Key(1), 1.0f);
  CHECK(all_are(*model.table, 7));
  CHECK(model.ids(2) == 3);
  CHECK(!all_are(model.weight, 0));
}

}  // namespace init_test
