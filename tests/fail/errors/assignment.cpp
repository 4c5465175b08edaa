// expect: errors/assignment.cpp:12
// expect: axes_do_not_fit
// expect: "assign"
// expect within 3: axes_do_not_fit
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"a=2 b=3"> const& x) {
  Float32<"a=3 b=2"> y;
  y = relu(x);
}
