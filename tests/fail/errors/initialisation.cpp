// expect: errors/initialisation.cpp:10
// expect note: axes_do_not_fit
// expect within 4: axes_do_not_fit
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"a=2 b=3"> const& x) {
  Float32<"a=3 b=2"> y = relu(x);
  y(0, 0) = 1;
}
