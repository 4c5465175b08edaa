// expect: "the same modifier stands twice"
// expect: malformed_spec
// expect: "**n"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"**n"> mistaken;
