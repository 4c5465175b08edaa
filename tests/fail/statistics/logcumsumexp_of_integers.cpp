// expect: dtype_is_not_supported<
// expect: "logcumsumexp"
// expect: "int32"
#include <tenon/statistics.hpp>

auto mistaken(tenon::Int32<"n=3"> const& x) { return tenon::logcumsumexp<"n">(x); }
