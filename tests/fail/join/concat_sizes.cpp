// expect: axes_do_not_fit
// expect: "concat"
// expect: "batch=2"
// expect: "batch=3"
// expect: "batch=2 t"
// expect: "batch=3 t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = concat<"t">(Float32<"batch=2 t">(), Float32<"batch=3 t">());
