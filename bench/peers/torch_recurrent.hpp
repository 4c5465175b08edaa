#pragma once

#include <cstdint>
#include <memory>

#include "torch_found.hpp"

/// Recurrent layers of libtorch: only `torch_recurrent.cpp` includes its headers.
namespace torch_recurrent {

using torch_peers::found;

struct Sizes {
  std::int64_t steps, batch, in, hidden;
};
/// The inputs "time batch in", and the parameters as Tenon stores them: "in gate", "hidden gate".
struct Numbers {
  float const *x, *weight_ih, *weight_hh, *bias_ih, *bias_hh;
};

class Layer {
 public:
  /// `gates`: 4 for an LSTM, 3 for a GRU.
  Layer(int gates, Sizes const& sizes, Numbers const& numbers);

  /// The sum of squares of all outputs.
  float forward() const;
  /// Its gradient with respect to the weights of the hidden state, "hidden gate".
  void backward(float* gradient) const;

 private:
  struct Own;
  std::shared_ptr<Own> own_;
};

}  // namespace torch_recurrent
