// expect: axes_do_not_fit
// expect: "concat"
// expect: "batch"
// expect: "row"
// expect: "batch t"
// expect: "row t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = concat<"t">(Float32<"batch t">(), Float32<"batch t">(), Float32<"row t">());
