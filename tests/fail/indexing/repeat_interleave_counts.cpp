// expect: dtype_is_not_supported<
// expect: "repeat_interleave"
// expect: "float32"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"n=3"> const& x) { return tenon::repeat_interleave<"n">(x, x); }
