// expect: axis_is_not_found<
// expect: "tile"
// expect: "m"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x) { return tenon::tile<"m", 2>(x); }
