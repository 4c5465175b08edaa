#include <cstdio>

#include <tenon/backend/metal.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  if (!Mps::is_available()) return 0;
  std::puts("metal: a device is available");
  auto const x = to<Mps>(ones<Float32<"n=64">>());
  return sum(x + x).item() == 128.0f ? 0 : 1;
}
