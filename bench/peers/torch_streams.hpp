#pragma once

#include <cstdint>
#include <functional>

#include "torch_found.hpp"

/// libtorch's elementwise operations over external memory, in a separate file.
namespace torch_streams {

using torch_peers::found;

/// relu(a * b + c) of n numbers, one operation after the other. Returns the elements of the result,
/// valid until the next call.
std::function<float const*()> relu_of_sum(float const* a, float const* b, float const* c,
                                          std::int64_t n);

}  // namespace torch_streams
