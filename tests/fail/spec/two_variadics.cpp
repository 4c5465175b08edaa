// expect: "* belongs to annotations"
// expect: malformed_spec
// expect: "*a *b"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"*a *b"> mistaken;
