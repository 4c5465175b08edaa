// expect: "a size is a whole number"
// expect: malformed_spec
// expect: "3.5"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"3.5"> mistaken;
