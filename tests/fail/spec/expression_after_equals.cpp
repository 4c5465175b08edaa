// expect: "a name cannot begin with a digit"
// expect: malformed_spec
// expect: "batch=3x"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=3x"> mistaken;
