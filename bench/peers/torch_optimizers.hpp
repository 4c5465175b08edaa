#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "torch_found.hpp"

/// Optimizers of libtorch: only `torch_optimizers.cpp` includes its headers.
namespace torch_optimizers {

using torch_peers::found;

/// The fused AdamW of a model of vectors, with the defaults of `torch.optim.AdamW`; as in Tenon,
/// without weight decay for vectors.
class AdamW {
 public:
  /// `parameters`, `gradients`: those of all leaves one after the other.
  AdamW(std::vector<std::int64_t> const& sizes, float const* parameters, float const* gradients);

  void step() const;
  std::vector<float> elements() const;

 private:
  struct Leaves;
  std::shared_ptr<Leaves> leaves_;
};

}  // namespace torch_optimizers
