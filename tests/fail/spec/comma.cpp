// expect: "a comma: separate axes by spaces"
// expect: malformed_spec
// expect: "batch, channel"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch, channel"> mistaken;
