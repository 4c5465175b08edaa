// expect: error::axis_is_not_found
// expect: "sum"
// expect: "digit"
// expect: "batch"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return sum<"digit">(mean<"digit">(x)); }
