#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/tensor/aliases.hpp>

namespace tenon::training {

/// Images of the digits from 0 to 9.
struct MNIST {
  Float32<"batch channel=1 height=28 width=28"> image;  ///< From 0 to 1.
  Int32<"batch"> label;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::MNIST;

/// A part of MNIST, "train" or "t10k", from its files in a folder, decompressed:
/// `train-images-idx3-ubyte` and `train-labels-idx1-ubyte`. Fashion-MNIST has the same. Throws as
/// `idx::load`, and `ShapeError` for another number of labels. Y. LeCun et al., 1998. libtorch:
/// `torch::data::datasets::MNIST`.
MNIST load_mnist(std::filesystem::path const& folder, std::string const& part);

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::load_mnist;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>

#include <tenon/core/error.hpp>
#include <tenon/train/data/idx.hpp>

namespace tenon::internal::training {

TENON_RUNTIME MNIST load_mnist(std::filesystem::path const& folder, std::string const& part) {
  auto const images =
      idx::load<UInt8<"batch height=28 width=28">>(folder / (part + "-images-idx3-ubyte"));
  auto const labels = idx::load<UInt8<"batch">>(folder / (part + "-labels-idx1-ubyte"));
  if (images.sizes()[0] != labels.size())
    fail<ShapeError>({.who = "load_mnist",
                      .expected = std::to_string(images.sizes()[0]) + " labels, one of each image",
                      .got = std::to_string(labels.size())});
  MNIST digits{.image = decltype(MNIST::image)::uninitialised({labels.size(), 1, 28, 28}),
               .label = Int32<"batch">::uninitialised({labels.size()})};
  digits.image.set_elements([&](float* to) {
    std::transform(images.data(), images.data() + images.size(), to,
                   [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255.0f; });
  });
  digits.label.set_elements(
      [&](std::int32_t* to) { std::copy_n(labels.data(), labels.size(), to); });
  return digits;
}

}  // namespace tenon::internal::training

#endif
