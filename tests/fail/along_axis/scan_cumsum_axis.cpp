// expect: error::axis_is_not_found
// expect: "cumsum"
// expect: "time"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch t"> const& x) { return cumsum<"time">(x); }
