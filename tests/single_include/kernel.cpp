// Compiled for two instruction sets; NAME is the name of its function.
#include "tenon.hpp"

extern "C" [[gnu::visibility("default")]] void NAME(float const* from, float* to, long count) {
  using Numbers = tenon::Float32<"n">;
  auto const x = tenon::view<Numbers>(from, count);
  tenon::assign(tenon::view<Numbers>(to, count), tenon::exp(x) / tenon::sum(tenon::exp(x)));
}
