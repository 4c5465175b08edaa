// expect: "a size cannot be negative"
// expect: malformed_spec
// expect: "n=2 max(n,1)-4"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n=2 max(n,1)-4"> mistaken;
