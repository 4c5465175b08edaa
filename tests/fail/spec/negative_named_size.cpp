// expect: "a size cannot be negative"
// expect: malformed_spec
// expect: "batch=-1"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=-1"> mistaken;
