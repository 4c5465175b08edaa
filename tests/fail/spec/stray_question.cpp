// expect: "a stray ?: it stands before a name"
// expect: malformed_spec
// expect: "batch n?"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch n?"> mistaken;
