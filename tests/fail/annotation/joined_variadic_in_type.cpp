// expect: "* belongs to annotations"
// expect: malformed_spec
// expect: "*batch height=28 width=28"
// expect: "*batch"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
Float32<"*batch" + image> mistaken;
