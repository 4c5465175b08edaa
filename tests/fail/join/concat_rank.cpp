// expect: shapes_do_not_align
// expect: "concat"
// expect: "batch t"
// expect: "t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = concat<"t">(Float32<"batch t">(), Float32<"t">());
