// Examples of docs/functions.md: layers and losses.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

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

  auto const feed_forward = init::normal<FeedForward<"embed=8", "hidden=16">>(Key{2}, 0.1);
  CHECK(eval(feed_forward(x)).sizes() == x.sizes());

  auto const attention = init::normal<MultiHeadAttention<"embed=8", 2>>(Key{2}, 0.1);
  CHECK(eval(attention(x)).sizes() == x.sizes());

  auto const block = init::gpt2<TransformerBlock<"embed=8", 2, "hidden=16">>(Key{2}, 1);
  CHECK(eval(block(x)).sizes() == x.sizes());

  auto const experts =
      init::normal<MixtureOfExperts<"embed=8", "hidden=16", "expert=4", 2>>(Key{2}, 0.1);
  CHECK(eval(experts(x)).sizes() == x.sizes());

  Dropout const dropout{.rate = 0.5f};
  CHECK(allclose(dropout(x), x));           // without a key
  CHECK(!allclose(dropout(x, Key{3}), x));  // training

  auto const none = init::zeros<Linear<"embed=8", "hidden=16">>();
  CHECK(sum(none(x)).item() == 0);
}

TEST_CASE("attention") {
  auto const q = normal<Float32<"batch t head=2 feature=4">>(Key{1}, 2, 3);
  auto const k = normal<Float32<"batch key head=2 feature=4">>(Key{2}, 2, 3);
  auto const v = normal<Float32<"batch key head=2 feature=4">>(Key{3}, 2, 3);
  auto const seen = eval(causal_attention(q, k, v));
  static_assert(shape_of<decltype(seen)> == "batch t head=2 feature=4");

  auto const query = normal<Float32<"batch t head=2 feature=4">>(Key{1}, 2, 3);
  auto const key = normal<Float32<"batch key head=2 feature=4">>(Key{2}, 2, 5);
  auto const value = normal<Float32<"batch key head=2 feature=4">>(Key{3}, 2, 5);
  auto const all_seen = eval(full_attention(query, key, value));
  CHECK(all_seen.sizes() == query.sizes());
}

TEST_CASE("losses") {
  auto const logits = zeros<Float32<"batch digit=10">>(4);
  Int32<"batch"> const labels{3, 1, 4, 1};
  CHECK(cross_entropy<"digit">(logits, labels).item() == doctest::Approx(2.302585));

  CHECK(mse_loss(Float32<"n">{1, 2}, Float32<"n">{1, 4}).item() == 2);
}

}  // namespace functions_layers_test
