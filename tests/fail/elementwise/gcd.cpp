// expect: dtype_is_not_supported<
// expect: "gcd"
// expect: "float32"
#include <tenon/elementwise.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x) { return tenon::gcd(x, x); }
