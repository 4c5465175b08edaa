// expect: "a size cannot be negative"
// expect: malformed_spec
// expect: "n=-3"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<spec("n={}", -3)> mistaken;
