// expect: "* takes a name, not a size"
// expect: malformed_spec
// expect: "*4"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"*4"> mistaken;
