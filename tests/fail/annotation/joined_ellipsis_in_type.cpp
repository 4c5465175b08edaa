// expect: "... belongs to annotations"
// expect: malformed_spec
// expect: "... height=28 width=28"
// expect: "..."
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
Float32<"..." + image> mistaken;
