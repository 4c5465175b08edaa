// expect: error::dtypes_differ
// expect: "floor_divide"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& x, Int64<"n"> const& y) { return floor_divide(x, y); }
