// Residual blocks, and transfer learning with a ResNet-18 whose state has torchvision's layout:
// golden/make_resnet.py.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <utility>

#include <tenon/io/safetensors.hpp>
#include <tenon/nn.hpp>
#include <tenon/optim.hpp>

namespace resnet_test {

using namespace tenon;

namespace {

std::filesystem::path const golden = std::filesystem::path(__FILE__).parent_path() / "golden";

/// A file has no entries for numbers such as `epsilon`.
LoadOptions options() { return {.ignore_extra = true, .keep_missing = true, .cast = true}; }
LoadOptions options_of(std::string const& prefix) {
  LoadOptions result = options();
  result.entry_name = [prefix](std::string const& path) { return prefix + path; };
  return result;
}

template <Spec In, Spec Out, int stride>
using Stage = Sequential<BasicBlock<In, Out, stride>, BasicBlock<Out>>;

template <class Head>
struct ResNet18 {
  Conv2d<"channel=3", "channel=2", 7, ConvOptions{.stride = 2, .padding = 3, .bias = false}> conv1;
  BatchNorm<"channel=2"> bn1;
  Stage<"channel=2", "channel=2", 1> layer1;
  Stage<"channel=2", "channel=4", 2> layer2;
  Stage<"channel=4", "channel=8", 2> layer3;
  Stage<"channel=8", "channel=16", 2> layer4;
  Head fc;

  auto features(Float<"batch channel=3 height width"> auto const& image) const {
    MaxPool2d<3, MaxPoolOptions{.stride = 2, .padding = 1}> const pool;
    auto const x = pool(relu(bn1(conv1(image))));
    return eval(mean<"height width">(layer4(layer3(layer2(layer1(x))))));
  }
  auto operator()(Float<"batch channel=3 height width"> auto const& image) const {
    return eval(fc(features(image)));
  }
  template <class Other>
  ResNet18<Other> with(Other head) const {
    return {conv1, bn1, layer1, layer2, layer3, layer4, std::move(head)};
  }
};

/// A linear layer of PyTorch, whose weight is "out in".
struct TorchLinear {
  Float32<"class=5 channel=16"> weight;
  Float32<"class=5"> bias;

  operator Linear<"channel=16", "class=5">() const { return {transpose(weight), bias}; }
};

auto load_resnet() {
  auto const state = load<ResNet18<TorchLinear>>(golden / "resnet18.safetensors", options());
  return state.with(Linear<"channel=16", "class=5">(state.fc));
}

struct Images {
  Float32<"batch channel=3 height width"> image;
  Float32<"batch class=5"> logits;
};

}  // namespace

TEST_CASE("a ResNet-18 with a state of torchvision's layout gives PyTorch's logits") {
  auto const model = load_resnet();
  auto const expected = load<Images>(golden / "resnet18.safetensors", options());
  CHECK(allclose(model(expected.image), expected.logits, {.relative = 1e-4, .absolute = 1e-4}));
  CHECK(max(abs(expected.logits)).item() > 0.1f);
  CHECK(any(*std::get<1>(std::get<0>(model.layer4).downsample).running_mean != 0).item());
}

TEST_CASE("the last layer of a ResNet-18 learns new classes, and the others stay") {
  auto model = load_resnet().with(init::reset_parameters<Linear<"channel=16", "kind=3">>(Key{1}));
  auto const before = model;
  auto const kind = eval(iota<Int32<"batch">>(12) % 3);
  auto const hues = one_hot<"channel=3">(kind);
  auto const image =
      eval(0.2f * normal<Float32<"batch channel=3 height width">>(Key{2}, 12, 16, 16) +
           4.0f * unsqueeze<"width", -1>(unsqueeze<"height", -1>(to<float>(hues))));
  auto const loss = [&](auto const& m) {
    auto const fixed = freeze(freeze(freeze(m, "conv1.*"), "bn1.*"), "layer*");
    return cross_entropy<"kind">(fixed(image), kind);
  };
  SGD const sgd{.rate = 0.1, .momentum = 0.9};
  auto state = sgd.init(model);
  float const first = loss(model).item();
  for (int step = 0; step < 60; ++step) {
    auto const [now, gradient] = value_and_grad(loss)(model);
    std::tie(model, state) = sgd.step(model, gradient, state);
  }
  CHECK(loss(model).item() < first / 4);
  CHECK(all(model.conv1.weight == before.conv1.weight).item());
  CHECK(all(std::get<1>(model.layer4).conv2.weight == std::get<1>(before.layer4).conv2.weight)
            .item());
}

TEST_CASE("a bottleneck agrees with PyTorch's, in evaluation and in training") {
  using Block = Bottleneck<"channel=6", "channel=8", 2>;
  struct Values {
    Float32<"batch channel=6 height width"> x;
    Float32<"batch channel=8 _ _"> value;
  };
  struct Trained {
    Float32<"batch channel=8 _ _"> value;
  };
  auto const file = golden / "bottleneck.safetensors";
  auto const block = load<Block>(file, options());
  auto const at = load<Values>(file, options());
  CHECK(allclose(block(at.x), at.value, {.relative = 1e-5, .absolute = 1e-5}));
  auto const [value, next] = block(at.x, Training{});
  auto const trained = load<Block>(file, options_of("trained."));
  CHECK(allclose(value, load<Trained>(file, options_of("trained.")).value,
                 {.relative = 1e-5, .absolute = 1e-5}));
  CHECK(next.bn3.num_batches_tracked == 1);
  for (auto const& [got, expected] : {std::pair(*next.bn3.running_mean, *trained.bn3.running_mean),
                                      std::pair(*next.bn3.running_var, *trained.bn3.running_var)})
    CHECK(allclose(got, expected, {.relative = 1e-5, .absolute = 1e-5}));
  auto const gradient = grad([&](Block const& b) { return sum(square(b(at.x))); })(block);
  CHECK(any(gradient.conv1.weight != 0).item());
}

}  // namespace resnet_test
