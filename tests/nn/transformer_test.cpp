#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "cases.hpp"
#include "checks.hpp"

namespace transformer_test {

using namespace tenon;

namespace {

template <class Activation>
using Encoder = TransformerEncoderLayer<"embed=4", 2, "hidden=3", Activation, double>;
template <class Activation>
using Decoder = TransformerDecoderLayer<"embed=4", 2, "hidden=3", Activation, double>;
using Rows = Float64<"batch t embed=4">;
using Memory = Float64<"batch s embed=4">;

struct Gelu {
  auto operator()(auto const& x) const { return gelu(x); }
};

/// Reads the parameters of a layer of PyTorch, or their gradients.
struct Reader {
  cases::Case const& c;
  std::string what;

  void operator()(std::string const& name, auto& part) const {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (requires { part.epsilon; }) {
      part.weight = c.tensor<decltype(part.weight)>(what + name + ".weight");
      part.bias = c.tensor<decltype(part.bias)>(what + name + ".bias");
    } else if constexpr (requires { part.query; })
      part = Part::from_state(c.tensor<Float64<"_ _">>(what + name + ".in_proj_weight"),
                              c.tensor<Float64<"_">>(what + name + ".in_proj_bias"),
                              c.tensor<Float64<"_ _">>(what + name + ".out_proj.weight"),
                              c.tensor<Float64<"_">>(what + name + ".out_proj.bias"));
    else {
      part.weight = transpose(c.tensor<Float64<"_ _">>(what + name + ".weight"));
      part.bias = c.tensor<decltype(part.bias)>(what + name + ".bias");
    }
  }
};

template <class Layer>
Layer layer_in(cases::Case const& c, std::string const& what) {
  Layer layer;
  Reader const read{c, what};
  read("self_attn", layer.self_attn), read("linear1", layer.linear1);
  read("linear2", layer.linear2), read("norm1", layer.norm1), read("norm2", layer.norm2);
  if constexpr (requires { layer.norm3; })
    read("multihead_attn", layer.multihead_attn), read("norm3", layer.norm3);
  layer.norm_first = c.option("norm_first", 0) != 0;
  return layer;
}

void check_near(auto const& got,
                std::type_identity_t<std::remove_cvref_t<decltype(got)>> const& expected) {
  CHECK(allclose(got, expected, {.relative = 1e-11, .absolute = 1e-11}));
}

template <class Layer>
struct Arguments {
  Layer layer;
  Rows x;
  Memory memory;
};

template <class Layer>
void check_layer(cases::Case const& c) {
  constexpr bool is_decoder = requires(Layer const& layer) { layer.norm3; };
  Arguments<Layer> at{layer_in<Layer>(c, ""), c.tensor<Rows>("x"), Memory()};
  if (is_decoder) at.memory = c.tensor<Memory>("memory");
  auto const apply = [&](auto const& a) {
    if constexpr (is_decoder)
      return a.layer(a.x, a.memory, is_causal, MemoryMask{c.tensor<Float64<"t s">>("mask")});
    else return a.layer(a.x);
  };
  check_near(apply(at), c.tensor<Rows>("value"));
  auto const gradient = grad([&](auto const& a) {
    auto const value = apply(a);
    return sum(value * cases::weights_like(eval(stop_gradient(value))));
  })(at);
  check_near(gradient.x, c.tensor<Rows>("grad x"));
  if (is_decoder) check_near(gradient.memory, c.tensor<Memory>("grad memory"));
  tree::map([](auto const& got, auto const& expected) { return check_near(got, expected), got; },
            gradient.layer, layer_in<Layer>(c, "grad "));
}

void check(cases::Case const& c) {
  CAPTURE(c.name);
  bool const is_decoder = c.name == "TransformerDecoderLayer", gelu = c.option("gelu", 0) != 0;
  if (is_decoder && gelu) check_layer<Decoder<op::Gelu>>(c);
  else if (is_decoder) check_layer<Decoder<op::Relu>>(c);
  else if (gelu) check_layer<Encoder<Gelu>>(c);
  else check_layer<Encoder<op::Relu>>(c);
}

}  // namespace

TEST_CASE("layers of transformers have the values and gradients of PyTorch's") {
  int number = 0;
  for (cases::Case const& c : cases::read("transformer.txt")) check(c), ++number;
  CHECK(number == 4);
}

namespace {

/// A layer of GPT-2.
template <class T>
using Block = TransformerEncoderLayer<"embed=4", 2, "hidden=6", op::Gelu, T>;

template <class T>
Block<T> random_block(int seed) {
  Block<T> like;
  like.norm_first = true;
  return checks::random_model(seed, like);
}

}  // namespace

TEST_CASE("a layer of GPT-2 agrees with loops, for any batch and length") {
  auto const block = random_block<double>(1);
  for (int const length : {1, 3, 8}) {
    auto const x = normal<Float64<"batch t embed=4">>(Key(2), 2, length);
    auto const steps = static_cast<std::size_t>(length);
    checks::near(block(x, is_causal), naive::encoder_layer(block, naive::rows(x), steps, 2).data,
                 1e-13);
  }
}

TEST_CASE("a layer of GPT-2 is nine kernels: sums, biases and gelu are fused into the matmuls") {
  auto const block = random_block<float>(1);
  auto const x = normal<Float32<"batch t embed=4">>(Key(2), 2, 5);
  auto const before = internal::kernels_run;
  auto const y = block(x, is_causal);
  CHECK(internal::kernels_run - before == 9);
  checks::near(y, naive::encoder_layer(block, naive::rows(x), 5, 2).data, 5e-6);
}

TEST_CASE("the gradient of a layer of GPT-2") {
  auto const x = normal<Float64<"batch t embed=4">>(Key(3), 2, 3);
  checks::gradient([&](auto const& block) { return checks::weighed(block(x, is_causal)); },
                   random_block<double>(4));
}

TEST_CASE("an encoder and a decoder are their layers, then the norm") {
  auto const encoder = init::normal<TransformerEncoder<Encoder<op::Relu>, 2>>(Key(1), 0.5);
  auto const x = normal<Rows>(Key(2), 2, 3);
  auto const y = encoder.layers[1](encoder.layers[0](x, is_causal), is_causal);
  check_near(encoder(x, is_causal), y);
  auto with_norm = encoder;
  with_norm.norm = LayerNorm<"embed=4", double>();
  check_near(with_norm(x, is_causal), (*with_norm.norm)(y));

  auto const decoder = init::normal<TransformerDecoder<Decoder<op::Relu>, 2>>(Key(3), 0.5);
  auto const memory = normal<Memory>(Key(4), 2, 5);
  auto const first = decoder.layers[0](x, memory, is_causal);
  check_near(decoder(x, memory, is_causal), decoder.layers[1](first, memory, is_causal));
}

TEST_CASE("equal keys drop equal elements, and without a key none are dropped") {
  auto encoder = init::normal<TransformerEncoder<Encoder<op::Relu>, 2>>(Key(1), 0.5);
  auto const x = normal<Rows>(Key(2), 2, 3);
  check_near(encoder(x, Key(7)), encoder(x, Key(7)));
  CHECK(any(encoder(x, Key(7)) != encoder(x, Key(8))).item());
  CHECK(any(encoder(x, Key(7)) != encoder(x)).item());
  for (auto& layer : encoder.layers) layer.dropout.rate = 0;
  check_near(encoder(x, Key(7)), encoder(x));
}

}  // namespace transformer_test
