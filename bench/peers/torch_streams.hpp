#pragma once

#include <cstdint>
#include <functional>

#include "torch_found.hpp"

/// libtorch's elementwise operations over memory of others, in a file of its own.
namespace torch_streams {

using torch_peers::found;

/// relu(a * b + c) of n numbers, as one writes it: an operation after the other. Gives the elements
/// of the result, until it is called again.
std::function<float const*()> relu_of_sum(float const* a, float const* b, float const* c,
                                          std::int64_t n);

}  // namespace torch_streams
