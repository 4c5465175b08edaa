// expect: error::slices_are_assigned_by_set<
// expect: "x = set<0>(x, 1, y)"
// expect: "3"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"2 3">& x) { x[1] = 3.0f; }
