#include <cstdio>

#include <tenon/backend/cuda.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  if (!Cuda::is_available()) return 0;
  std::puts("cuda: a device is available");
  auto const x = to<Cuda>(ones<Float32<"n=64">>());
  return sum(x + x).item() == 128.0f ? 0 : 1;
}
