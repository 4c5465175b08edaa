// expect: axes_do_not_fit
// expect: "set"
// expect: "batch=4"
// expect: "batch=5"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = set<"t">(Float32<"batch=4 t">(), 0, Float32<"batch=5">());
