// expect: "nothing can be computed from _"
// expect: malformed_spec
// expect: "batch=_x"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=_x"> mistaken;
