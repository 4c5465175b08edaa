// expect: error::axes_do_not_fit
// expect: "div"
// expect: "batch"
// expect: "time"
// expect: "batch time"
// expect: "time batch"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch time"> const& a, Float32<"time batch"> const& b) { return a / b; }
