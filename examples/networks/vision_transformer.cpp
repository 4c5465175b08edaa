// A transformer reads digits as sequences of 16 patches (Dosovitskiy et al., arXiv:2010.11929).
//   example_networks_vision_transformer FOLDER   the files of MNIST, or of draw_digits.py
// test-input: draw_digits.py
// test-long

#include <cstdio>
#include <tuple>

#include <tenon/nn.hpp>

#include <tenon/train/data/mnist.hpp>

using namespace tenon;

struct VisionTransformer {
  Conv2d<"channel=1", "embed=32", 7, ConvOptions{.stride = 7}> patch_embedding;
  Float32<"token=1 embed=32"> class_token;
  Float32<"token=17 embed=32"> position_embedding;
  TransformerEncoder<TransformerEncoderLayer<"embed=32", 4, "hidden=64", op::Gelu>, 2> encoder;
  Linear<"embed=32", "digit=10"> head;

  Float32<"batch digit=10"> operator()(
      Float<"batch channel=1 height=28 width=28"> auto const& image) const {
    auto const patches = rearrange<"batch embed token -> batch token embed">(
        flatten<"height width -> token">(eval(patch_embedding(image))));
    auto const first = expand<"batch token=1 embed=32">(class_token, size<"batch">(image));
    auto const tokens = eval(concat<"token">(first, patches) + position_embedding);
    return head(take<"token">(encoder(tokens), 0));
  }
};

double accuracy(VisionTransformer const& model, training::MNIST const& digits) {
  return double(mean(argmax<"digit">(model(digits.image)) == digits.label).item());
}

int main(int argc, char** argv) {
  char const* const folder = argc < 2 ? "data" : argv[1];
  auto const learned = training::load_mnist(folder, "train");
  auto const unseen = training::load_mnist(folder, "t10k");
  auto model = init::normal<VisionTransformer>(Key{3}, 0.1);
  AdamW const adam{.rate = 3e-3};
  auto state = adam.init(model);
  float first = 0, last = 0;
  for (int step = 0; step < 150; ++step) {
    auto const ids = uniform<Int32<"batch">>(fold_in(Key{4}, step), 0, 1500, 50);
    auto const image = eval(take<"batch">(learned.image, ids));
    auto const label = eval(take<"batch">(learned.label, ids));
    auto const [loss, gradients] = value_and_grad(
        [&](VisionTransformer const& m) { return cross_entropy<"digit">(m(image), label); })(model);
    std::tie(model, state) = adam.step(model, gradients, state);
    (step == 0 ? first : last) = loss.item();
    if (step % 50 == 49) std::printf("step %3d: loss %.4f\n", step + 1, double(last));
  }
  std::printf("%.1f %% of unseen digits right\n", 100 * accuracy(model, unseen));
  return last < 0.3f * first ? 0 : 1;
}
