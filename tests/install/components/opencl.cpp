#include <cstdio>

#include <tenon/backend/opencl.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  if (!OpenCl::is_available()) return 0;
  std::puts("opencl: a device is available");
  auto const x = to<OpenCl>(ones<Float32<"n=64">>());
  return sum(x + x).item() == 128.0f ? 0 : 1;
}
