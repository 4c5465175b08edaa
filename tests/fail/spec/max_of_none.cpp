// expect: "an operand is missing"
// expect: malformed_spec
// expect: "n max()"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n max()"> mistaken;
