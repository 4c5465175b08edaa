// expect: malformed_spec
// expect: "another number of arguments"
// expect: "b n, n m"
#include <tenon/tenon.hpp>

using namespace tenon;

static_assert(fits<"b n, n m", Float32<"2 3">>);
