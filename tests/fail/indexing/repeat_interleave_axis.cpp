// expect: axis_is_not_found<
// expect: "repeat_interleave"
// expect: "m"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x) { return tenon::repeat_interleave<"m", 2>(x); }
