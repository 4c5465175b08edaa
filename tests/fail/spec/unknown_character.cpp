// expect: "an unknown character"
// expect: malformed_spec
// expect: "batch $"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch $"> mistaken;
