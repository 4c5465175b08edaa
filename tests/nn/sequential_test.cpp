#include <doctest/doctest.h>

#include <tenon/nn.hpp>

#include "cases.hpp"
#include "checks.hpp"

namespace sequential_test {

using namespace tenon;

namespace {

using Network =
    Sequential<Linear<"pixel=6", "hidden=4">, ReLU, Dropout, Linear<"hidden=4", "digit=3">>;
using Normed =
    Sequential<Linear<"pixel=6", "hidden=4", double>, BatchNorm<"hidden=4", double>, Tanh,
               Residual<Sequential<Linear<"hidden=4", "hidden=4", double>, Sigmoid>>>;
using Pixels = Float32<"batch pixel=6">;

}  // namespace

static_assert(std::same_as<MLP<"a=2", "b=3", "c=4">,
                           Sequential<Linear<"a=2", "b=3">, ReLU, Linear<"b=3", "c=4">>>);
static_assert(std::same_as<decltype(Network()(Pixels())), Float32<"batch digit=3">>);
static_assert(std::same_as<BatchNorm1d<"pixel=6">, BatchNorm<"pixel=6">>);
static_assert(std::same_as<BatchNorm2d<"pixel=6">, BatchNorm3d<"pixel=6">>);
static_assert(std::same_as<Dropout2d, FeatureDropout<"height width">>);
static_assert(std::same_as<Dropout1d, FeatureDropout<"time">>);
static_assert(std::same_as<Dropout3d, FeatureDropout<"depth height width">>);

TEST_CASE("a sequential is a tree: its paths, its gradients, its checkpoints") {
  auto const network = init::kaiming_uniform<Network>(Key(1));
  CHECK(tree::paths(network) ==
        std::vector<std::string>{"0.weight", "0.bias", "3.weight", "3.bias"});
  auto const x = normal<Pixels>(Key(2), 5);
  auto const expected = std::get<3>(network)(relu(std::get<0>(network)(x)));
  CHECK(all(network(x) == expected).item());
  auto const gradient = grad([&](Network const& n) { return sum(n(x)); })(network);
  CHECK(all(std::get<3>(gradient).bias == 5.0f).item());
  auto adam = AdamW{.rate = 0.1f};
  auto const [stepped, state] = adam.step(network, gradient, adam.init(network));
  CHECK(!all(std::get<0>(stepped).weight == std::get<0>(network).weight).item());
  CHECK(Sequential{ReLU(), Identity()}(Float32<"n=2">{-1, 2})(1) == 2);
  CHECK(Sequential{LeakyReLU{0.25}, Identity()}(Float32<"n=2">{-1, 2})(0) == -0.25f);
}

TEST_CASE("layers convert to another dtype and back") {
  using Layers =
      Sequential<Linear<"a=2", "channel=4">, BatchNorm<"channel=4">, GroupNorm<"channel=4", 2>,
                 RMSNorm<"channel=4">, InstanceNorm<"channel">, FeatureDropout<"channel">,
                 LocalResponseNorm<"channel", 3>, Flatten<"batch channel">, GELU>;
  using Wide = Sequential<Linear<"a=2", "channel=4", double>, BatchNorm<"channel=4", double>,
                          GroupNorm<"channel=4", 2, "", double>, RMSNorm<"channel=4", double>,
                          InstanceNorm<"channel">, FeatureDropout<"channel">,
                          LocalResponseNorm<"channel", 3>, Flatten<"batch channel">, GELU>;
  auto const layers = init::xavier_uniform<Layers>(Key(1));
  auto const wide = to<double>(layers);
  static_assert(std::same_as<decltype(wide), Wide const>);
  CHECK(all(std::get<0>(to<float>(wide)).weight == std::get<0>(layers).weight).item());
  using Deep = RecurrentLayers<Bidirectional<GRU<"a=2", "h=3">>, LSTM<"h=6", "k=1">>;
  static_assert(std::same_as<decltype(to<double>(Deep())),
                             RecurrentLayers<Bidirectional<GRU<"a=2", "h=3", "time", double>>,
                                             LSTM<"h=6", "k=1", "time", double>>>);
}

TEST_CASE("the keys of a sequential reach the layers that take one") {
  auto const network = init::kaiming_uniform<Network>(Key(1));
  auto const x = normal<Pixels>(Key(2), 50);
  auto const y = network(x, Key(3));
  CHECK(all(y == network(x, Key(3))).item());
  CHECK(!all(y == network(x)).item());
}

TEST_CASE("numbers of layers are those of the model that is initialised, stepped or zeroed") {
  using Layers = Sequential<Linear<"n=2", "m=2">, Dropout, LeakyReLU, BatchNorm<"m=2">>;
  Layers const like{{}, Dropout{0.75f}, LeakyReLU{0.5}, BatchNorm<"m=2">{.epsilon = 0.125}};
  auto const keeps = [](Layers const& layers) {
    CHECK(std::get<1>(layers).rate == 0.75f);
    CHECK(std::get<2>(layers).negative_slope == 0.5);
    CHECK(std::get<3>(layers).epsilon == 0.125);
  };
  auto const model = init::normal(Key(1), 0.5, like);
  keeps(model);
  CHECK(std::get<0>(model).weight(0, 0) != 0);
  keeps(init::reset_parameters(Key(1), like));
  keeps(init::kaiming_uniform(Key(1), 1, init::Fan::in, like));
  keeps(init::zeros(like));
  auto const gradients = grad([](Layers const& at) {
    return sum(at(Float32<"row=2 n=2">{{1, 2}, {3, 4}}));
  })(model);
  keeps(SGD{}.step(model, gradients, SGD{}.init(model)).first);
  CHECK(std::get<1>(init::normal<Layers>(Key(1), 0.5)).rate == 0.1f);
}

TEST_CASE("a sequential in training returns its layers with new running statistics") {
  auto const network = init::xavier_normal<Normed>(Key(1));
  auto const x = normal<Float64<"batch pixel=6">>(Key(2), 7);
  auto const [y, next] = network(x, Training{});
  auto const [h, norm] = std::get<1>(network)(std::get<0>(network)(x), Training{});
  CHECK(all(*std::get<1>(next).running_mean == *norm.running_mean).item());
  CHECK(!all(next(x) == y).item());
  auto const [same, again] = network(x, Training{}, Key(1));
  CHECK(all(same == y).item());
  CHECK_GRADIENT([&](Normed const& n) { return checks::weighed(n(x, Training{}).first); }, network);
}

TEST_CASE("flatten, bilinear maps and dropout of features") {
  auto const image = normal<Float32<"batch channel=2 height=3 width=2">>(Key(1), 4);
  auto const flat = Flatten<"channel height width -> feature">()(image);
  static_assert(shape_of<decltype(flat)> == "batch feature=12");
  auto const dropped = eval(FeatureDropout<"height width">{0.5f}(image, Key(3)));
  int whole = 0;
  for (int b = 0; b < 4; ++b)
    for (int c = 0; c < 2; ++c) {
      auto const part = eval(dropped(b, c, 0, 0) == 0.0f ? 0.0f * image : 2.0f * image);
      for (int i = 0; i < 6; ++i) CHECK(dropped(b, c, i / 2, i % 2) == part(b, c, i / 2, i % 2));
      whole += dropped(b, c, 0, 0) == 0.0f ? 1 : 0;
    }
  CHECK(whole > 0);
  CHECK(whole < 8);
  CHECK(all(FeatureDropout<"height width">()(image) == image).item());
}

TEST_CASE("bilinear maps have the values and gradients of PyTorch's") {
  using cases::of;
  cases::run(
      "bilinear.txt",
      {{"Bilinear", of<Float64<"batch left=3">, Float64<"batch right=4">,
                       Float64<"left=3 right=4 out=2">, Float64<"out=2">>(
                        {"x", "z", "weight", "bias"}, [](auto&, auto const& x, auto const& z,
                                                         auto const& weight, auto const& bias) {
                          return Bilinear<"left=3", "right=4", "out=2", double>{weight, bias}(x, z);
                        })}});
}

}  // namespace sequential_test
