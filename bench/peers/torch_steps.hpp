#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "torch_found.hpp"

/// Whole training steps by libtorch: only `torch_steps.cpp` includes its headers.
namespace torch_steps {

using torch_peers::found;

/// The leaves of our model in order, row-major: what both start from.
using Leaves = std::vector<float const*>;

/// A step as one would train, and the gradients that the last one found, in the order and the
/// layout of our leaves.
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

/// A block of a transformer, and what its input gets: `leaves` ends with that input.
Training block(GptSizes const&, Leaves const&, float const* adjoint);

/// A whole GPT, cross-entropy, AdamW.
Training gpt(GptSizes const&, Leaves const&, std::int32_t const* tokens,
             std::int32_t const* answers, double rate);

/// Attention alone: `leaves` are query, key and value, "batch t head feature".
Training attention(GptSizes const&, Leaves const&, float const* adjoint);

}  // namespace torch_steps
