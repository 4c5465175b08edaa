// expect: "division by zero"
// expect: malformed_spec
// expect: "n n//max(0,0)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n n//max(0,0)"> mistaken;
