#pragma once

#include <cstdint>
#include <functional>

/// libtorch's elementwise operations over memory of others, in a file of its own.
namespace torch_streams {

#ifdef TENON_BENCH_TORCH
inline constexpr bool found = true;
#else
inline constexpr bool found = false;
#endif

/// relu(a * b + c) of n numbers, as one writes it: an operation after the other. Gives the elements
/// of the result, until it is called again.
std::function<float const*()> relu_of_sum(float const* a, float const* b, float const* c,
                                          std::int64_t n);

}  // namespace torch_streams
