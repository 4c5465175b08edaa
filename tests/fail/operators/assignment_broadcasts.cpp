// expect: "digit=10"
// expect: "batch digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch digit=10"> mistaken(Float32<"digit=10"> const& bias) { return bias + 1.0f; }
