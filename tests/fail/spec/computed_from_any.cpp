// expect: "nothing can be computed from _"
// expect: malformed_spec
// expect: "_+1"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"_+1"> mistaken;
