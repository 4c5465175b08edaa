// A sum on the processor, and a question to a driver, which is opened at run time.
#include <cstdio>

#include <tenon/backend/cuda.hpp>
#include <tenon/backend/devices.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  Float32<"n=3"> const x{1, 2, 3};
  float const s = sum(x * x).item();
  std::printf("sum %g, cuda: %s\n", double(s), available<Cuda>() ? "available" : "not available");
  return s == 14.0f ? 0 : 1;
}
