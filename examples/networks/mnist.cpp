// Handwritten digits are read by a convolutional network.
//   example_networks_mnist FOLDER   with the files of MNIST, decompressed; without: digits are
//   drawn

#include <cstdio>
#include <filesystem>
#include <string>

#include <tenon/nn.hpp>

#include <tenon/train/data.hpp>
#include <tenon/train/loop.hpp>

#include "digits.hpp"

using namespace tenon;
using networks::Digits;

struct Net {
  Conv2d<"channel=1", "channel=10", 5> conv1;
  Conv2d<"channel=10", "channel=20", 5> conv2;
  Dropout2d conv2_drop{0.2f};
  Linear<"channel=320", "hidden=50"> fc1;
  Linear<"hidden=50", "digit=10"> fc2;

  /// In training with a key, for dropout.
  template <class... K>
  Float32<"batch digit=10"> operator()(Float<"batch channel=1 height=28 width=28"> auto const& x,
                                       K const&... key) const {
    auto const h1 = eval(relu(max_pool<"height width", 2>(eval(conv1(x)))));
    auto const h2 = conv2_drop(eval(conv2(h1)), key...);
    auto const h3 = eval(relu(max_pool<"height width", 2>(eval(h2))));
    auto const h4 = eval(relu(fc1(flatten<"channel height width">(h3))));
    return log_softmax<"digit">(fc2(h4));
  }
};

Digits load_digits(std::filesystem::path const& folder, std::string const& part) {
  auto const images =
      idx::load<UInt8<"batch height=28 width=28">>(folder / (part + "-images-idx3-ubyte"));
  auto const labels = idx::load<UInt8<"batch">>(folder / (part + "-labels-idx1-ubyte"));
  return {unsqueeze<1>(to<float>(images) / 255), to<std::int32_t>(labels)};
}

auto batches_of(Digits const& digits, std::int64_t size, bool shuffle) {
  return training::data_loader<"batch">(training::tensor_dataset(digits.image, digits.label),
                                        {.batch_size = size, .shuffle = shuffle});
}

/// An epoch of training; its loss.
double train(Net& model, SGDState<Net>& state, auto& loader, Key const& key) {
  SGD const optimizer{.rate = 0.05, .momentum = 0.5};
  std::uint64_t step = 0;
  auto const trained = training::train_epoch(loader, [&](auto const& batch) {
    auto const of_step = fold_in(key, step++);
    auto const loss = [&](Net const& net, auto const& part) {
      return nll_loss<"digit">(net(std::get<0>(part), of_step), std::get<1>(part));
    };
    return training::train_step(model, batch, loss, optimizer, state);
  });
  return trained.loss;
}

training::Metrics test(Net const& model, auto& loader) {
  return training::evaluate(model, loader, [](Net const& net, auto const& batch) {
    auto const& [image, label] = batch;
    auto const scores = net(image);
    return training::Metrics{.loss = double(nll_loss<"digit">(scores, label).item()),
                             .accuracy = training::accuracy<"digit">(scores, label)};
  });
}

int main(int argc, char** argv) {
  using networks::draw_digits;
  auto const learned = argc < 2 ? draw_digits(Key{1}, 1500) : load_digits(argv[1], "train");
  auto const unseen = argc < 2 ? draw_digits(Key{2}, 500) : load_digits(argv[1], "t10k");
  auto train_loader = batches_of(learned, 50, true), test_loader = batches_of(unseen, 250, false);
  auto model = init::kaiming_uniform<Net>(Key{3});
  auto state = SGD{}.init(model);
  training::Metrics metrics;
  for (int epoch = 1; epoch <= 3; ++epoch) {
    double const loss = train(model, state, train_loader, fold_in(Key{4}, epoch));
    metrics = test(model, test_loader);
    std::printf("epoch %d: loss %.4f, of unseen digits %.4f, %.1f %% of them right\n", epoch, loss,
                metrics.loss, 100 * metrics.accuracy);
  }
  return metrics.accuracy > 0.9 ? 0 : 1;
}
