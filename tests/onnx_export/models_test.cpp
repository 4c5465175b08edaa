#include <tenon/nn.hpp>

#include "../io/onnx/initializers.hpp"
#include "cases.hpp"

#include <algorithm>

namespace onnx_cases {

namespace {

/// A residual network for images of any batch: convolutions, a pooled head.
struct Convolution {
  Float32<"out=8 channel=8 height=3 width=3"> kernel;
  Float32<"out=8"> bias;

  auto operator()(Float<"batch channel=8 height width"> auto const& x) const {
    auto const y = convolve<"height width", Sliding{.padding = 1}>(x, kernel);
    return rename<"out -> channel">(y + rearrange<"out -> out 1 1">(bias));
  }
};
struct Residual {
  Convolution first, second;

  auto operator()(Float<"batch channel=8 height=8 width=8"> auto const& x) const
      -> Float32<"batch channel=8 height=8 width=8"> {
    return relu(x + second(relu(first(x))));
  }
};
struct ResNet {
  Float32<"out=8 channel=3 height=3 width=3"> stem;
  std::array<Residual, 2> blocks;
  Linear<"channel=8", "digit=10"> head;

  auto operator()(Float<"batch channel=3 height=16 width=16"> auto const& image) const {
    Float32<"batch channel=8 height=8 width=8"> x = rename<"out -> channel">(
        relu(convolve<"height width", Sliding{.stride = 2, .padding = 1}>(image, stem)));
    for (Residual const& block : blocks) x = block(x);
    return head(mean<"height width">(x));
  }
};
struct Images {
  Float32<"batch channel=3 height=16 width=16"> image;
};

/// A gated recurrent unit over five steps.
struct Gru {
  Linear<"in=6", "gate=24"> input;
  Linear<"state=8", "gate=24"> recurrent;

  auto step(Float<"batch in=6"> auto const& x, Float32<"batch state=8"> const& h) const
      -> Float32<"batch state=8"> {
    Float32<"batch gate=24"> const a = input(x), b = recurrent(h);
    auto const reset = sigmoid(slice<"gate", 0, 8>(a) + slice<"gate", 0, 8>(b));
    auto const keeps = sigmoid(slice<"gate", 8, 16>(a) + slice<"gate", 8, 16>(b));
    auto const fresh = tanh(slice<"gate", 16, 24>(a) + reset * slice<"gate", 16, 24>(b));
    auto const kept = rename<"gate -> state">(keeps);
    return rename<"gate -> state">(fresh) * (1.0f - kept) + kept * h;
  }
  auto operator()(Float<"batch t=5 in=6"> auto const& x) const -> Float32<"batch state=8"> {
    Float32<"batch state=8"> h = zeros<Float32<"batch state=8">>(size<"batch">(x));
    auto const inputs = rearrange<"b t in -> t b in">(x);
    for (int t = 0; t < 5; ++t) h = step(rename<"b -> batch">(inputs[t]), h);
    return h;
  }
};
struct Steps {
  Float32<"batch t=5 in=6"> x;
};

using Experts = MixtureOfExperts<"embed=8", "hidden=12", "expert=4", 2>;
/// What a language model returns, by name.
struct Prediction {
  Float32<"batch t word=11"> logits;
  Int32<"batch"> next;
};
struct Language {
  Embedding<"word=11", "embed=16"> words;
  Embedding<"place=32", "embed=16"> places;
  std::array<TransformerEncoderLayer<"embed=16", 4, "hidden=32", op::Gelu>, 2> blocks;
  LayerNorm<"embed=16"> norm;

  auto operator()(Int<"batch t"> auto const& tokens) const -> Prediction {
    auto const place = iota<Int32<"t">>(size<"t">(tokens));
    Float32<"batch t embed=16"> x = words(tokens) + places(place);
    for (auto const& block : blocks) x = block(x, is_causal);
    Float32<"batch t word=11"> const logits = matmul(norm(x), transpose<>(words.weight));
    auto const last = slice<"t">(logits, size<"t">(tokens) - 1, size<"t">(tokens));
    return {logits, argmax<"word">(sum<1>(last))};
  }
};
struct Tokens {
  Int64<"batch=1..8 t=1..32"> tokens;
};
Tokens tokens(std::int64_t n, std::int64_t t) {
  return {to<std::int64_t>(uniform<Float32<"batch=1..8 t=1..32">>(Key{5}, n, t) * 11)};
}

}  // namespace

TEST_CASE("onnx::save: a residual network") {
  auto const images = [](std::int64_t n) { return Images{numbers<decltype(Images::image)>(1, n)}; };
  save_case("resnet", init::normal<ResNet>(Key{1}, 0.2f), images(2), images(1), images(5));
}

TEST_CASE("onnx::save: a recurrent network") {
  auto const steps = [](std::int64_t n) { return Steps{numbers<decltype(Steps::x)>(1, n)}; };
  save_case("gru", init::normal<Gru>(Key{2}, 0.4f), steps(3), steps(1), steps(6));
}

TEST_CASE("onnx::save: a language model with named results") {
  auto model = init::normal<Language>(Key{3}, 0.2f);
  for (auto& block : model.blocks) block.norm_first = true;
  save_case("language", model, tokens(2, 5), tokens(1, 1), tokens(3, 32));
  save_case_with({.opset = 23}, "language_23", model, tokens(2, 5), tokens(1, 1), tokens(3, 32));
}

TEST_CASE("onnx::save: a mixture of experts, in which every expert maps all tokens") {
  auto const model = init::normal<Experts>(Key{4}, 0.5f);
  save_case("experts", model, embedded(2, 5), embedded(1, 1), embedded(3, 7));
  using Any = MixtureOfExperts<"embed=8", "hidden=12", "expert", 1>;
  auto const any = init::normal(Key{5}, 0.5f, Any::with_experts(3));
  save_case("any_experts", any, embedded(2, 5), embedded(1, 1), embedded(3, 7));
}

/// Every layer, each with its weights and numbers.
struct Layers {
  LayerNorm<"embed=8"> norm;
  Linear<"embed=8", "embed=8"> linear;
  Embedding<"word=5", "embed=8"> words;
  MultiheadAttention<"embed=8", 2> attention;
  TransformerEncoderLayer<"embed=8", 2, "hidden=12"> block;
  Experts experts;
  Dropout dropout;

  auto operator()(Float32<"batch t embed=8"> const& x) const { return norm(x); }
};

TEST_CASE("onnx::load reads every layer from the file to which it was saved") {
  auto model = init::normal<Layers>(Key{7}, 0.5f);
  model.norm.epsilon = 0.125f;
  onnx::save(folder() / "layers.onnx", model, embedded(2, 5));
  auto const same = onnx::load<Layers>(folder() / "layers.onnx");
  auto const expected = initializers_of(model);
  auto const got = initializers_of(same);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO(expected[i].name);
    CHECK(got[i].name == expected[i].name);
    CHECK(std::ranges::equal(got[i].bytes.view, expected[i].bytes.view));
  }
}

TEST_CASE("onnx::save refuses a mixture of experts that counts the choices of tokens") {
  auto model = init::normal<Experts>(Key{4}, 0.5f);
  std::string const expected =
      "tenon::onnx::save: 'MixtureOfExperts, with losses, a capacity or ranks' has no form in "
      "ONNX: compute it outside, and pass the result as an input";
  auto const words = [](auto const& f) {
    return words_of<Error>([&] { onnx::save(folder() / "never.onnx", f, embedded(2, 5)); });
  };
  CHECK(words([&](auto const& x) { return model.with_losses(x).value; }) == expected);
  model.options.capacity_factor = 1;
  CHECK(words(model) == expected);
}

}  // namespace onnx_cases
