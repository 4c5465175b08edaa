// expect: "... belongs to annotations"
// expect: malformed_spec
// expect: "... channel"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"... channel"> mistaken;
