// expect: "* takes a name, not an expression"
// expect: malformed_spec
// expect: "*n+1"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"*n+1"> mistaken;
