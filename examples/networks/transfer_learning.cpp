// Transfer learning: the last layer of a trained ResNet-18 is replaced by one for other classes,
// which learns from the features of a few images.
//   example_networks_transfer_learning FOLDER   resnet18.safetensors, a state of torchvision
// test-input: write_resnet18.py
// test-long

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <tuple>

#include <tenon/io/safetensors.hpp>
#include <tenon/nn.hpp>

using namespace tenon;

using Images = Float32<"batch channel=3 height=224 width=224">;
using Features = Float32<"batch channel=512">;
using Head = Linear<"channel=512", "kind=3">;

template <Spec In, Spec Out, int stride = 2>
using Stage = Sequential<BasicBlock<In, Out, stride>, BasicBlock<Out>>;

/// A linear layer of PyTorch, whose weight is "out in".
struct TorchLinear {
  Float32<"class=1000 channel=512"> weight;
  Float32<"class=1000"> bias;
};

struct ResNet18 {
  Conv2d<"channel=3", "channel=64", 7, ConvOptions{.stride = 2, .padding = 3, .bias = false}> conv1;
  BatchNorm<"channel=64"> bn1;
  Stage<"channel=64", "channel=64", 1> layer1;
  Stage<"channel=64", "channel=128"> layer2;
  Stage<"channel=128", "channel=256"> layer3;
  Stage<"channel=256", "channel=512"> layer4;
  TorchLinear fc;

  Features features(Images const& image) const {
    MaxPool2d<3, MaxPoolOptions{.stride = 2, .padding = 1}> const pool;
    auto const x = pool(relu(bn1(conv1(image))));
    return mean<"height width">(layer4(layer3(layer2(layer1(x)))));
  }
  Float32<"batch class=1000"> operator()(Images const& image) const {
    return matmul(features(image), transpose(fc.weight)) + fc.bias;
  }
};

/// An image and the logits that torchvision computes of it.
struct Example {
  Images image;
  Float32<"batch class=1000"> logits;
};

bool agrees(ResNet18 const& net, Example const& example) {
  float const error = max(abs(net(example.image) - example.logits)).item();
  std::printf("logits differ from torchvision's by at most %.1g\n", double(error));
  return error < 1e-4f;
}

struct Sample {
  Features features;
  Int32<"batch"> kind;
};

/// Waves down, across or both, of random colours, with noise: what the network sees in them.
Sample draw(ResNet18 const& net, Key const& key, std::int64_t count) {
  auto const [of_wave, of_colour, of_noise] = split<3>(key);
  auto const kind = eval(iota<Int32<"batch">>(count) % 3);
  auto const length = uniform<Float32<"batch 1 1 1">>(of_wave, 2, 6, count);
  auto const colour = uniform<Float32<"batch channel=3 1 1">>(of_colour, 0.5, 2, count);
  auto const down = eval(sin(iota<Float32<"height=224 1">>() / length));
  auto const across = eval(sin(iota<Float32<"width=224">>() / length));
  auto const which = unsqueeze<1>(unsqueeze<1>(unsqueeze<1>(kind)));
  auto const wave = where(which == 0, down, where(which == 1, across, down * across));
  Images const image = colour * wave + 0.1f * normal<Images>(of_noise, count);
  return {net.features(image), kind};
}

double accuracy(Head const& head, Sample const& sample) {
  return double(mean(argmax<"kind">(head(sample.features)) == sample.kind).item());
}

Head train(Head head, Sample const& sample) {
  AdamW const adam{.rate = 1e-2};
  auto state = adam.init(head);
  for (int step = 0; step < 400; ++step) {
    auto const [loss, gradients] = value_and_grad([&](Head const& now) {
      return cross_entropy<"kind">(now(sample.features), sample.kind);
    })(head);
    std::tie(head, state) = adam.step(head, gradients, state);
    if (step % 100 == 99) std::printf("step %3d: loss %.4f\n", step + 1, double(loss.item()));
  }
  return head;
}

int main(int argc, char** argv) {
  std::filesystem::path const folder = argc < 2 ? "data" : argv[1];
  auto const net = load<ResNet18>(folder / "resnet18.safetensors", {.keep_missing = true});
  if (!agrees(net, load<Example>(folder / "example.safetensors"))) return 1;
  auto const learned = draw(net, Key{1}, 60), unseen = draw(net, Key{2}, 30);
  auto const head = train(init::reset_parameters<Head>(Key{3}), learned);
  save("head.safetensors", head);
  double const right = accuracy(head, unseen);
  std::printf("%.1f %% of unseen images right\n", 100 * right);
  return right > 0.9 ? 0 : 1;
}
