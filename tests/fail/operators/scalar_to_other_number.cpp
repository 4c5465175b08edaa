// expect: double
// expect: float
#include <tenon/tenon.hpp>

using namespace tenon;

double widened(Float32<""> const& x) { return x; }
