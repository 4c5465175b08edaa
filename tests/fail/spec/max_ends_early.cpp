// expect: "an expression ends too early"
// expect: malformed_spec
// expect: "n max(n,"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n max(n,"> mistaken;
