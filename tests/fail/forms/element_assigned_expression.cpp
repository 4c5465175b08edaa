// expect: error::elements_are_assigned_by_call<
// expect: "v(1) = y"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"n=3">& v) { v[1] = sum(v); }
