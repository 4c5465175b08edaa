// expect: "a mesh axis must follow @"
// expect: malformed_spec
// expect: "row@"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"row@"> mistaken;
