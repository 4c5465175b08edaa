// expect: tenon::pad: a negative number; slice cuts
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = pad<"t", -1, 1>(Float32<"batch t">());
