// Examples of docs/functions/: layers and activations.

#include <doctest/doctest.h>

#include <tenon/nn.hpp>

namespace functions_layers_test {

using namespace tenon;

auto const x = normal<Float32<"batch t embed=8">>(Key{1}, 2, 3);

TEST_CASE("layers") {
  auto const linear = init::normal<Linear<"embed=8", "hidden=16">>(Key{2}, 0.1);
  static_assert(shape_of<decltype(eval(linear(x)))> == "batch t hidden=16");

  Embedding<"vocab=97", "embed=8"> const embedding;
  static_assert(shape_of<decltype(eval(embedding(Int32<"batch t">())))> == "batch t embed=8");

  LayerNorm<"embed=8"> const layer_norm;
  CHECK(mean(layer_norm(x)).item() == doctest::Approx(0));

  auto const attention = init::normal<MultiheadAttention<"embed=8", 2>>(Key{2}, 0.1);
  CHECK(eval(attention(x)).sizes() == x.sizes());

  auto const experts =
      init::normal<MixtureOfExperts<"embed=8", "hidden=16", "expert=4", 2>>(Key{2}, 0.1);
  CHECK(eval(experts(x)).sizes() == x.sizes());

  auto const rnn = init::normal<RNN<"embed=8", "hidden=16", "t">>(Key{2}, 0.1);
  static_assert(shape_of<decltype(rnn(x).first)> == "batch t hidden=16");

  auto const gru = init::normal<GRU<"embed=8", "hidden=16", "t">>(Key{2}, 0.1);
  static_assert(shape_of<decltype(gru(x).second)> == "batch hidden=16");

  auto const lstm = init::normal<LSTM<"embed=8", "hidden=16", "t">>(Key{2}, 0.1);
  auto const [outputs, state] = lstm(x);
  CHECK(allclose(take<"t">(outputs, -1), state.h));

  Dropout const dropout{.rate = 0.5f};
  CHECK(allclose(dropout(x), x));           // without a key
  CHECK(!allclose(dropout(x, Key{3}), x));  // training

  auto const none = init::zeros<Linear<"embed=8", "hidden=16">>();
  CHECK(sum(none(x)).item() == 0);
}

TEST_CASE("images and cells") {
  auto const image = normal<Float32<"batch channel=4 height=8 width=8">>(Key{1}, 2);
  Float32<"batch 2 3"> const mirror = expand<"batch 2 3">(Float32<"2 3">{{-1, 0, 0}, {0, 1, 0}}, 2);
  auto const grid = affine_grid<"height=8 width=8">(mirror);
  CHECK(allclose(grid_sample(image, grid), flip<"width">(image), {.absolute = 1e-4}));

  auto const residual = init::reset_parameters<BasicBlock<"channel=4", "channel=8", 2>>(Key{2});
  static_assert(shape_of<decltype(residual(image))> == "batch channel=8 height=4 width=4");

  auto const narrow = init::reset_parameters<Bottleneck<"channel=4", "channel=16">>(Key{2});
  auto const [value, trained] = narrow(image, Training{});
  CHECK(trained.bn1.num_batches_tracked == 1);

  auto const cell = init::reset_parameters<GRUCell<"embed=8", "hidden=16">>(Key{2});
  auto const state = cell(take<"t">(x, 0));
  static_assert(shape_of<decltype(cell(take<"t">(x, 1), state))> == "batch hidden=16");
}

TEST_CASE("recurrent layers") {
  using Encoder = Bidirectional<GRU<"embed=8", "hidden=16", "t">>;
  auto const both = init::reset_parameters<Encoder>(Key{2});
  auto const [joined, ends] = both(x);
  static_assert(shape_of<decltype(joined)> == "batch t hidden=32");
  static_assert(shape_of<decltype(ends.first)> == "batch hidden=16");

  using Deep = RecurrentLayers<Encoder, LSTM<"hidden=32", "word=4", "t">>;  // num_layers=2
  auto const layers = init::reset_parameters<Deep>(Key{2});
  Int32<"batch"> const lengths{3, 1};
  auto const [words, states] = layers(x, lengths);
  static_assert(shape_of<decltype(words)> == "batch t word=4");
  CHECK(words(1, 2, 0) == 0);                   // behind the end of the second sequence
  auto const [more, last] = layers(x, states);  // goes on with these states
  static_assert(shape_of<decltype(std::get<1>(last).h)> == "batch word=4");
  CHECK(more.sizes() == words.sizes());
}

TEST_CASE("attention") {
  auto const heads = normal<Float32<"batch head=4 t feature=6">>(Key{1}, 2, 3);
  auto const pairs = normal<Float32<"batch head=2 s feature=6">>(Key{2}, 2, 5);
  Mask<"t s"> const mask = iota<Int32<"s">>(5) <= iota<Int32<"t 1">>(3);
  auto const grouped = scaled_dot_product_attention(heads, pairs, pairs, mask, enable_gqa);
  static_assert(shape_of<decltype(grouped)> == "batch head=4 t feature=6");

  auto const cooler = scaled_dot_product_attention(heads, heads, heads, AttentionScale{0.1});
  CHECK(cooler.sizes() == heads.sizes());

  auto const past = scaled_dot_product_attention(heads, heads, heads, is_causal);
  CHECK(allclose(take<"t">(past, 0), take<"t">(heads, 0)));

  auto const turned = rotary_embedding<"t">(heads, rotary_positions(rotary_frequencies(6), 0, 3));
  CHECK(allclose(take<"t">(turned, 0), take<"t">(heads, 0)));

  auto const biased =
      scaled_dot_product_attention(heads, heads, heads, alibi<Float32<"4 t t">>(3, 3));
  CHECK(biased.sizes() == heads.sizes());
  CHECK(alibi_slopes(2) == std::vector<double>{1.0 / 16, 1.0 / 256});

  auto const places = sinusoidal_positions<Float32<"t embed=8">>(3);
  CHECK(allclose(take<"t">(places, 0), Float32<"embed=8">{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST_CASE("transformers") {
  auto const layer = MultiheadAttention<"embed=8", AttentionHeads{4, 2}>::reset_parameters(Key{1});
  auto const [mixed, weights] = layer(x, is_causal, need_weights);
  static_assert(shape_of<decltype(weights)> == "batch head=4 query key");

  auto cache = layer.new_cache(2, 100);
  auto const next = eval(layer(x, cache, is_causal));
  CHECK(cache.length == 3);

  using Encoder = TransformerEncoder<TransformerEncoderLayer<"embed=8", 2, "hidden=16">, 3>;
  auto const encoder = init::normal<Encoder>(Key{1}, 0.1);
  CHECK(encoder(x).sizes() == x.sizes());

  using Decoder = TransformerDecoder<TransformerDecoderLayer<"embed=8", 2, "hidden=16">, 3>;
  auto const decoder = init::normal<Decoder>(Key{1}, 0.1);
  CHECK(decoder(x, encoder(x), is_causal).sizes() == x.sizes());
  Mask<"t=3 s=3"> const hidden = zeros<Mask<"t=3 s=3">>();
  CHECK(decoder(x, encoder(x), is_causal, MemoryMask{hidden}).sizes() == x.sizes());
}

TEST_CASE("activations") {
  Float32<"n=4"> const y{-2, -1, 1, 8};

  CHECK(allclose(leaky_relu(y), Float32<"n=4">{-0.02f, -0.01f, 1, 8}));

  CHECK(allclose(prelu(y, Float32<"">(0.5f)), Float32<"n=4">{-1, -0.5f, 1, 8}));

  CHECK(elu(y, 2)(1) == doctest::Approx(-1.264241));

  CHECK(celu(y, 2)(0) == doctest::Approx(-1.264241));

  CHECK(allclose(hardtanh(y, -1, 2), Float32<"n=4">{-1, -1, 1, 2}));

  CHECK(allclose(relu6(y), Float32<"n=4">{0, 0, 1, 6}));

  CHECK(mish(y)(2) == doctest::Approx(0.865098));

  CHECK(selu(y)(2) == doctest::Approx(1.050701));

  CHECK(hardsigmoid(y)(2) == doctest::Approx(2.0 / 3));

  CHECK(hardswish(y)(1) == doctest::Approx(-1.0 / 3));

  CHECK(allclose(hardshrink(y, 1), Float32<"n=4">{-2, 0, 0, 8}));

  CHECK(allclose(softshrink(y), Float32<"n=4">{-1.5f, -0.5f, 0.5f, 7.5f}));

  CHECK(tanhshrink(y)(2) == doctest::Approx(0.238406));

  CHECK(allclose(threshold(y, 0, -7), Float32<"n=4">{-7, -7, 1, 8}));

  CHECK(softsign(y)(2) == 0.5f);

  CHECK(logsigmoid(y)(2) == doctest::Approx(-0.313262));

  CHECK(glu<"n">(y)(0) == doctest::Approx(-2 * 0.731059));

  CHECK(swiglu<"n">(y)(1) == doctest::Approx(-0.268941 * 8));

  CHECK(sum(softmin<"n">(y)).item() == doctest::Approx(1));

  auto const corner = gumbel_softmax<"n">(Key{1}, y, {.tau = 0.5, .hard = true});
  CHECK(max(corner).item() == 1);

  auto const trained = eval(rrelu(Key{1}, y, {.lower = 0.1, .upper = 0.3}));
  CHECK((trained(0) <= -0.2f && trained(0) >= -0.6f));
}

}  // namespace functions_layers_test
