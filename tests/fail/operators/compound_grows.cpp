// expect: "digit=10"
// expect: "batch digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"digit=10">& bias, Float32<"batch digit=10"> const& x) { bias += x; }
