// expect: "a comma: separate axes by spaces"
// expect: malformed_spec
// expect: "height=28 width=28 , n"
// expect: ","
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
Float32<image + ", n"> mistaken;
