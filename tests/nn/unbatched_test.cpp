// Layers and losses take operands without a batch axis, as PyTorch's do: the result is that of a
// batch of one.

#include <doctest/doctest.h>

#include <tenon/nn.hpp>

namespace unbatched_test {

using namespace tenon;

namespace {

/// A layer gives for `one` what it gives for a batch of one.
template <class Layer, class X>
void check(Layer const& layer, X const& one) {
  auto const batch = eval(layer(eval(unsqueeze<"batch", 0>(one))));
  CHECK(allclose(eval(layer(one)), eval(take<"batch">(batch, 0)), {1e-5, 1e-6}));
}
template <class Layer>
Layer drawn() {
  return init::normal<Layer>(Key(3), 0.5);
}

auto const line = normal<Float32<"channel=4 time=8">>(Key(1));
auto const image = normal<Float32<"channel=4 height=8 width=8">>(Key(1));
auto const sequence = normal<Float32<"time=6 input=4">>(Key(1));

TEST_CASE("maps and convolutions take one operand without a batch") {
  check(drawn<Linear<"channel=4", "out=2">>(), eval(take<"time">(line, 0)));
  check(drawn<Conv2d<"channel=4", "channel=5", 3>>(), image);
  check(drawn<ConvTranspose2d<"channel=4", "channel=5", 3>>(), image);
  Int32<""> const word(1);
  check(drawn<Embedding<"word=5", "embed=4">>(), word);
}

TEST_CASE("poolings take one image without a batch") {
  check(MaxPool2d<2>(), image);
  check(AvgPool2d<2>(), image);
}

TEST_CASE("normalisations take one image without a batch") {
  auto const norm = drawn<BatchNorm2d<"channel=4">>();
  check(norm, image);
  check(drawn<LayerNorm<"time=8">>(), line);
  check(drawn<GroupNorm<"channel=4", 2>>(), image);
}

TEST_CASE("recurrent layers take one sequence without a batch") {
  auto const outputs = [](auto const& layer) {
    return [=](auto const& x) { return layer(x).first; };
  };
  auto const lstm = drawn<LSTM<"input=4", "hidden=4">>();
  check(outputs(lstm), sequence);
  check([&](auto const& x) { return lstm(x, lstm(x).second).second.c; }, sequence);
  CHECK(lstm(sequence, Int32<"">(4)).first(5, 0) == 0);
}

TEST_CASE("attention takes one sequence without a batch") {
  auto const attention = drawn<MultiheadAttention<"input=4", 2>>();
  check(attention, sequence);
  check([](auto const& x) { return scaled_dot_product_attention(x, x, x); }, sequence);
}

TEST_CASE("losses take one position without a batch") {
  Float32<"class=3"> const x{1, 2, 3};
  Float32<"batch=1 class=3"> const batch{{1, 2, 3}};
  Int32<""> const y(1);
  Int32<"batch=1"> const labels{1};
  auto const same = [](auto const& a, auto const& b) { CHECK(allclose(a, b)); };
  same(cross_entropy<"class">(x, y), cross_entropy<"class">(batch, labels));
  same(multi_margin_loss<"class">(x, y), multi_margin_loss<"class">(batch, labels));
}

TEST_CASE("ctc_loss takes one sequence without a batch, axes by name or number") {
  auto const x = normal<Float64<"time=4 class=3">>(Key(1));
  Int32<"label=2"> const labels{1, 2};
  Int32<""> const steps(4), lengths(2);
  auto const batch =
      ctc_loss<"time", "class", op::none>(unsqueeze<"batch", 1>(x), unsqueeze<"batch">(labels),
                                          unsqueeze<"batch">(steps), unsqueeze<"batch">(lengths));
  auto const one = ctc_loss<"time", "class", op::none>(x, labels, steps, lengths);
  static_assert(decltype(one)::rank == 0);
  CHECK(one.item() == batch(0));
  CHECK(ctc_loss<-2, -1>(x, labels, steps, lengths).item() == batch(0) / 2);
  auto const turned = eval(transpose(x));
  CHECK(ctc_loss<"time", "class", op::sum>(turned, labels, steps, lengths).item() == batch(0));
}

}  // namespace
}  // namespace unbatched_test
