// expect: "a name cannot begin with a digit"
// expect: malformed_spec
// expect: "4x"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"4x"> mistaken;
