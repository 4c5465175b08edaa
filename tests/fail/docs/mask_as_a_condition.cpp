// expect g++: could not convert
// expect g++: to 'bool'
// expect clang++: is not contextually convertible to 'bool'
#include <tenon/tenon.hpp>

using namespace tenon;

void stop();

void mistaken(Float32<"n"> const& x, Float32<"n"> const& y) {
  if (x == y) stop();
}
