// expect: "= takes a size, not a name"
// expect: malformed_spec
// expect: "batch=x"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=x"> mistaken;
