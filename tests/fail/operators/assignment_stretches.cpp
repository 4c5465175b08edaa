// expect: "n 1"
// expect: "n 4"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"n 1"> const& x) { Float32<"n 4"> y = x; }
