// expect: axes_do_not_fit
// expect: "matmul"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"a=2 b=3"> const& x, Float32<"c=3 d=4"> const& y) { check<"n m">(matmul(x, y)); }
