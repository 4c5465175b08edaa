// expect: error::slices_are_assigned_by_set<
// expect: "x = set<0>(x, 1, y)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"2 n">& x) { x[1] = x[0]; }
