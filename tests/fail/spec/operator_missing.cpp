// expect: "an operator is missing"
// expect: malformed_spec
// expect: "(n)2"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"(n)2"> mistaken;
