// expect: "as many {} as values in spec(...)"
// expect: malformed_spec
// expect: "{}"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<spec("n={} {}", 3)> mistaken;
