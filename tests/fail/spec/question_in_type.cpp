// expect: "? belongs to annotations"
// expect: malformed_spec
// expect: "?n"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"?n"> mistaken;
