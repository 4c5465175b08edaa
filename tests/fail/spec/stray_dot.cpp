// expect: "a stray dot: bounds are n=1..64"
// expect: malformed_spec
// expect: "a.b"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"a.b"> mistaken;
