// expect: dtype_is_not_supported<
// expect: "masked_select"
// expect: "float32"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x) { return tenon::masked_select<"row">(x, x); }
