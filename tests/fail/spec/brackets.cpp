// expect: "an unknown character"
// expect: malformed_spec
// expect: "[3 4]"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"[3 4]"> mistaken;
