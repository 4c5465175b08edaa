// expect: "min takes two arguments: min(n,m)"
// expect: malformed_spec
// expect: "min(n)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"min(n)"> mistaken;
