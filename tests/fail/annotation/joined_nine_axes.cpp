// expect: "a tensor has at most 8 axes"
// expect: malformed_spec
// expect: "a b c d e f g height=28 width=28"
// expect: "width=28"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
Float32<"a b c d e f g" + image> mistaken;
