// expect: "an arrow belongs to a pattern"
// expect: malformed_spec
// expect: "n -> m"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n -> m"> mistaken;
