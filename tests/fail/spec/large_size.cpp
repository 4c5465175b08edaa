// expect: "a size is too large"
// expect: malformed_spec
// expect: "batch=99999999999999999"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=99999999999999999"> mistaken;
