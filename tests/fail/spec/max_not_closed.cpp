// expect: "a ( is not closed"
// expect: malformed_spec
// expect: "n m max(n,m"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n m max(n,m"> mistaken;
