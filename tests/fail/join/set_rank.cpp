// expect: shapes_do_not_align
// expect: "set"
// expect: "batch"
// expect: "batch t"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = set<"t">(Float32<"batch t">(), 0, Float32<"batch t">());
