// expect: dtype_is_not_supported<
// expect: "segment_sum"
// expect: "float32"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x) { return tenon::segment_sum<"row">(x, x, 5); }
