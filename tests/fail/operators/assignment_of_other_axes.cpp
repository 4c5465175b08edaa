// expect: "batch hidden=128"
// expect: "batch digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"batch hidden=128"> const& x) { Float32<"batch digit=10"> y = x; }
