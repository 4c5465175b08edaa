// expect: "the lower bound is above the upper"
// expect: malformed_spec
// expect: "batch=3..1"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=3..1"> mistaken;
