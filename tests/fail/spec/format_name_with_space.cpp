// expect: "= must follow a name"
// expect: malformed_spec
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<spec("{}={}", "hidden ", 3)> mistaken;
