// expect: dtype_is_not_supported<
// expect: "bincount"
// expect: "float32"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x) { return tenon::bincount<tenon::Int64<"word=9">>(x); }
