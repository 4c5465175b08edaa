// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "width=28: expected width=28, got 27"
// expect note: "batch height=28 width=28"
// expect note: "batch 28 27"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
auto f(Float<"batch" + image> auto const& x) { return eval(x); }
void g() { f(Float32<"batch 28 27">()); }
