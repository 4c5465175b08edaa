// expect: "an expression is too long"
// expect: malformed_spec
// expect: "a+b+c+d+e+f+g+h+i"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"a+b+c+d+e+f+g+h+i"> mistaken;
