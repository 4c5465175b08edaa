// expect: float
// expect: double
#include <tenon/tenon.hpp>

using namespace tenon;

Float64<"n"> mistaken(Float32<"n"> const& x) { return x; }
