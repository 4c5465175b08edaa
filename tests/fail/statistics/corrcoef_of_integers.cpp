// expect: dtype_is_not_supported<
// expect: "corrcoef"
// expect: "int32"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Int32<"row=2 n=3"> const& x) { return tenon::corrcoef<"row">(x); }
