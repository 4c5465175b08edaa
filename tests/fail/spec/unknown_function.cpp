// expect: "the functions are min and max"
// expect: malformed_spec
// expect: "n m abs(n)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n m abs(n)"> mistaken;
