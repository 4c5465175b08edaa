// expect: "a size cannot be negative"
// expect: malformed_spec
// expect: "-1"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"-1"> mistaken;
