// expect: errors/product_assigned.cpp:11
// expect: expressions_are_not_assigned
// expect: "write auto h = eval(...)"
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"a=2 a=2"> const& x, Float32<"a=2 a=2"> const& y) {
  auto h = matmul(x, y);
  h = h + y;
}
