// A program for many ranks, run by one.
#include <cstdio>

#include <tenon/distributed/communication/world.hpp>

#if !defined(HAS_EIGEN) || !defined(HAS_ZLIB) || !defined(HAS_TOMLPLUSPLUS) || \
    !defined(HAS_SPDLOG) || !defined(HAS_YAML_CPP)
#error "expected the definitions of all packages"
#endif

int main() {
  tenon::World const world;
  std::printf("%d rank\n", world.size());
  return world.size() == 1 ? 0 : 1;
}
