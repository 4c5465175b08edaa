// expect: "bounds need a name: n=1..64"
// expect: malformed_spec
// expect: "4.."
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"4.."> mistaken;
