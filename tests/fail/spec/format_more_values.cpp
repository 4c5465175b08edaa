// expect: "as many {} as values in spec(...)"
// expect: malformed_spec
// expect: "n=3{4}"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<spec("n={}", 3, 4)> mistaken;
