// expect: "one name stands for two sizes"
// expect: malformed_spec
// expect: "height=3 height=28 width=28 height-4"
// expect: "height-4"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
Float32<"height=3" + image + "height-4"> mistaken;
