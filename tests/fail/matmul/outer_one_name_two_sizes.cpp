// expect: error::shapes_do_not_align
// expect: "outer"
// expect: "i=2"
// expect: "i=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"i=2"> const& x, Float32<"i=3"> const& y) { return outer(x, y); }
