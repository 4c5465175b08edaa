// expect: "= takes a size or bounds"
// expect: malformed_spec
// expect: "batch=3+1"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch=3+1"> mistaken;
