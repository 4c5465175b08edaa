// expect: "= must follow a name"
// expect: malformed_spec
// expect: "batch = 3"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch = 3"> mistaken;
