// A sum on the processor, and the library of a driver, which is opened at run time: the program of
// conan/test_package with fewer headers.
#include <cstdio>

#include <tenon/backend/cpu/backend.hpp>
#include <tenon/backend/cuda/device.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/tensor/aliases.hpp>

using namespace tenon;

int main() {
  Float32<"n=3"> const x{1, 2, 3};
  float const s = sum(x * x).item();
  std::printf("sum %g, cuda: %s\n", double(s),
              Cuda::is_available() ? "available" : "not available");
  return s == 14.0f ? 0 : 1;
}
