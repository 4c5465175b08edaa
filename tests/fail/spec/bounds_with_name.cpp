// expect: "a bound is a number"
// expect: malformed_spec
// expect: "batch=1..n"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=1..n"> mistaken;
