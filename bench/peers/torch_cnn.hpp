#pragma once

#include <cstdint>
#include <memory>

#include "torch_found.hpp"

/// The network of `cnn.cpp` by libtorch: only `torch_cnn.cpp` includes its headers.
namespace torch_cnn {

using torch_peers::found;

class Step {
 public:
  /// `leaves`: the parameters one after the other, as Tenon stores them.
  Step(float const* images, std::int32_t const* labels, float const* leaves);

  void forward() const;
  /// Writes the gradients in the order of the leaves.
  void step(float* gradients) const;

 private:
  struct Network;
  std::shared_ptr<Network> network_;
};

}  // namespace torch_cnn
