// Digits are learned by several ranks: each takes the gradients of its part of a batch, and all
// make the same step with their mean.
//   mpirun -n 4 example_networks_distributed FOLDER   the files of MNIST, or of draw_digits.py
// test-input: draw_digits.py
// test-ranks: 2
// test-long

#include <cstdint>
#include <cstdio>
#include <tuple>

#include <tenon/distributed/communication/world.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/nn.hpp>

#include <tenon/train/loop/accuracy.hpp>

#include "lenet.hpp"

using namespace tenon;
using networks::LeNet;

/// An epoch with the batches of this rank.
void train(LeNet& model, SGDState<LeNet>& state, auto& loader, Key key, Group const& group) {
  SGD const sgd{.rate = 0.05, .momentum = 0.9};
  for (auto const& batch : loader) {
    key = fold_in(key, group.rank());
    auto const loss = [&](LeNet const& net) {
      return cross_entropy<"digit">(net(std::get<0>(batch), key), std::get<1>(batch));
    };
    auto const gradients = average_gradients(grad(loss)(model), group);
    std::tie(model, state) = sgd.step(model, gradients, state);
  }
}

double accuracy(LeNet const& model, training::MNIST const& digits) {
  return training::accuracy<"digit">(model(digits.image), digits.label);
}

int main(int argc, char** argv) {
  char const* const folder = argc < 2 ? "data" : argv[1];
  return run([&](World const& world) {
    auto loader = networks::load_batches(folder, "train",
                                         {.batch_size = 50,
                                          .shuffle = true,
                                          .drop_last = true,
                                          .rank = world.rank(),
                                          .ranks = world.size()});
    auto model = init::kaiming_uniform<LeNet>(Key{3});
    auto state = SGD{}.init(model);
    for (int epoch = 1; epoch <= 3; ++epoch)
      train(model, state, loader, fold_in(Key{4}, epoch), world.group());
    double const right = accuracy(model, training::load_mnist(folder, "t10k"));
    if (world.rank() == 0) std::printf("%.1f %% of unseen digits right\n", 100 * right);
    return right > 0.9 ? 0 : 1;
  });
}
