#pragma once

// The network of mnist.cpp and distributed.cpp, and the batches that it reads.

#include <cstdint>
#include <string>

#include <tenon/nn.hpp>

#include <tenon/train/data.hpp>

namespace networks {

using namespace tenon;

using LeNet = Sequential<Conv2d<"channel=1", "channel=10", 5>, MaxPool2d<2>, ReLU,
                         Conv2d<"channel=10", "channel=20", 5>, Dropout2d, MaxPool2d<2>, ReLU,
                         Flatten<"channel height width">, Linear<"channel=320", "hidden=50">, ReLU,
                         Dropout, Linear<"hidden=50", "digit=10">>;

/// Batches of images and labels.
inline auto load_batches(char const* folder, std::string const& part,
                         training::DataLoaderOptions const& options) {
  auto const digits = training::load_mnist(folder, part);
  return training::data_loader<"batch">(training::tensor_dataset(digits.image, digits.label),
                                        options);
}

}  // namespace networks
