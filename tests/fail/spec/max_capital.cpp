// expect: "the functions are min and max"
// expect: malformed_spec
// expect: "n m Max(n,m)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n m Max(n,m)"> mistaken;
