// expect: "nothing can be computed from _"
// expect: malformed_spec
// expect: "n max(_,n)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n max(_,n)"> mistaken;
