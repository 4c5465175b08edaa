// expect: error::slices_are_assigned_by_set<
// expect: "x = set<0>(x, 1, y)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"2 n=3">& x, Float32<"n=3"> const& row) { x[1] = row; }
