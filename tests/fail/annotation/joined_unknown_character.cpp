// expect: "an unknown character"
// expect: malformed_spec
// expect: "a$ height=28 width=28"
// expect: "a$"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
Float32<"a$" + image> mistaken;
