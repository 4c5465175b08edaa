// expect: "as many {} as values in spec(...)"
// expect: malformed_spec
#include <tenon/tenon.hpp>

using namespace tenon;

static_assert(Float<Float32<"n">, spec("n={} {}", 3)>);
