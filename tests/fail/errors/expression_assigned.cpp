// expect: errors/expression_assigned.cpp:13
// expect: expressions_are_not_assigned
// expect: "write auto h = eval(...)"
// expect: "a=2 b=3"
// expect: "a=2 c=4"
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"a=2 b=3"> const& x, Float32<"b=3 c=4"> const& w) {
  auto h = relu(x);
  h = matmul(h, w);
}
