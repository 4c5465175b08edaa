// Handwritten digits are read by a convolutional network.
//   example_networks_mnist FOLDER   the files of MNIST, decompressed, or of draw_digits.py
// test-input: draw_digits.py
// test-long

#include <cstdint>
#include <cstdio>
#include <tuple>

#include <tenon/nn.hpp>

#include <tenon/train/loop.hpp>

#include "lenet.hpp"

using namespace tenon;
using networks::LeNet;

/// An epoch of training; its loss.
double train(LeNet& model, SGDState<LeNet>& state, auto& loader, Key const& key) {
  SGD const optimizer{.rate = 0.05, .momentum = 0.9};
  std::uint64_t step = 0;
  auto const trained = training::train_epoch(loader, [&](auto const& batch) {
    auto const of_step = fold_in(key, step++);
    auto const loss = [&](LeNet const& net, auto const& part) {
      return cross_entropy<"digit">(net(std::get<0>(part), of_step), std::get<1>(part));
    };
    return training::train_step(model, batch, loss, optimizer, state);
  });
  return trained.loss;
}

training::Metrics test(LeNet const& model, auto& loader) {
  return training::evaluate(model, loader, [](LeNet const& net, auto const& batch) {
    auto const& [image, label] = batch;
    auto const scores = net(image);
    return training::Metrics{.loss = double(cross_entropy<"digit">(scores, label).item()),
                             .accuracy = training::accuracy<"digit">(scores, label)};
  });
}

int main(int argc, char** argv) {
  char const* const folder = argc < 2 ? "data" : argv[1];
  auto train_loader = networks::load_batches(folder, "train", {.batch_size = 50, .shuffle = true});
  auto test_loader = networks::load_batches(folder, "t10k", {.batch_size = 250});
  auto model = init::kaiming_uniform<LeNet>(Key{3});
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
