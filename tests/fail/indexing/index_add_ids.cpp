// expect: dtype_is_not_supported<
// expect: "index_add"
// expect: "float32"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x) { return tenon::index_add<"row">(x, x, x); }
