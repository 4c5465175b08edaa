#pragma once

// Times of work on the CUDA device, one line each, which scripts/gpu reads:
// "time NAME SECONDS BYTES OPERATIONS". bench/gpu/peer.py prints the same for PyTorch.

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#ifdef TENON_FAKE_CUDA
#include "../../tests/backend/shim/cuda_device.hpp"
#endif

namespace gpu {

using namespace tenon;

#ifdef TENON_FAKE_CUDA
inline bool const is_opened = shim::opens_fake();
#endif

/// Whether sizes are tiny: to try the programs on a stand-in for a device.
inline bool is_tiny() { return std::getenv("TENON_GPU_TINY") != nullptr; }

/// A size, for a device or for its stand-in.
inline std::int64_t size_of(std::int64_t usual, std::int64_t tiny) {
  return is_tiny() ? tiny : usual;
}

template <class F>
double seconds_of(F const& work, int times) {
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) work();
  Cuda::synchronise();
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - start;
  return taken.count() / times;
}

/// The median of nine rounds, each of about a fiftieth of a second, after a first call that
/// compiles the kernels.
template <class F>
void time(std::string const& name, double bytes, double operations, F const& work) {
  int const rounds = is_tiny() ? 1 : 9;
  seconds_of(work, 1);
  double const once = seconds_of(work, is_tiny() ? 1 : 3);
  int const times = is_tiny() ? 1 : static_cast<int>(std::clamp(0.02 / once, 1.0, 2000.0));
  std::vector<double> all;
  for (int i = 0; i < rounds; ++i) all.push_back(seconds_of(work, times));
  std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
  std::printf("time %s %.9g %.9g %.9g\n", name.c_str(), all[std::size_t(rounds / 2)], bytes,
              operations);
  std::fflush(stdout);
}

/// Runs a part; an error is printed, and the others still run.
template <class F>
int attempt(char const* name, F const& part) {
  try {
    part();
    return 0;
  } catch (std::exception const& error) {
    std::printf("error %s %s\n", name, error.what());
    std::fflush(stdout);
    return 1;
  }
}

}  // namespace gpu
