// expect g++: inconsistent types
// expect g++: deduced for lambda return type
// expect clang++: must match previous return type
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x, bool total) {
  return grad([&](Float32<"n"> const& v) {
    if (total) return sum(v);
    return mean(v);
  })(x);
}
