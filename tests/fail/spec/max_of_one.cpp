// expect: "max takes two arguments: max(n,m)"
// expect: malformed_spec
// expect: "max(n)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"max(n)"> mistaken;
