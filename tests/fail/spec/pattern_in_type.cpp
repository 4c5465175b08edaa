// expect: "a ( is not closed"
// expect: malformed_spec
// expect: "b (h d)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"b (h d)"> mistaken;
