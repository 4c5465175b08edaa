// expect: "several axes cannot share one size"
// expect: malformed_spec
// expect: "*n=4"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"*n=4"> mistaken;
