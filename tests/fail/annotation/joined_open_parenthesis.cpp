// expect: "an expression ends too early"
// expect: malformed_spec
// expect: "(n+ 1)"
// expect: "(n+"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
Float32<"(n+" + Spec("1)")> mistaken;
