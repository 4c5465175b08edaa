// expect: "division by zero"
// expect: malformed_spec
// expect: "n=0 m//n"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n=0 m//n"> mistaken;
