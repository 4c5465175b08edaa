#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "torch_found.hpp"

/// Whole training steps by libtorch: only `torch_steps.cpp` includes its headers.
namespace torch_steps {

using torch_peers::found;

/// The leaves of Tenon's model in order, row-major: the initial values of both.
using Leaves = std::vector<float const*>;

/// A training step, and the gradients of the last step, in the order and layout of Tenon's leaves.
struct Training {
  std::function<void()> step;
  std::function<std::vector<std::vector<float>>()> gradients;
};

struct MlpSizes {
  std::int64_t batch, in, hidden, out;
};
struct GptSizes {
  std::int64_t batch, length, embed, heads, layers, words;
};

/// Two linear layers with relu between them, cross-entropy, SGD.
Training mlp(MlpSizes const&, Leaves const&, float const* images, std::int32_t const* labels,
             double rate);

/// A transformer block and the adjoint of its input: the last of `leaves` is the input.
Training block(GptSizes const&, Leaves const&, float const* adjoint);

/// A whole GPT, cross-entropy, AdamW.
Training gpt(GptSizes const&, Leaves const&, std::int32_t const* tokens,
             std::int32_t const* answers, double rate);

/// Attention only: `leaves` are query, key and value, "batch t head feature".
Training attention(GptSizes const&, Leaves const&, float const* adjoint);

}  // namespace torch_steps
