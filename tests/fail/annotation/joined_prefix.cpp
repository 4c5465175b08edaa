// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "expected 3 axes, got 2 axes"
// expect note: "batch height=28 width=28"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec image = "height=28 width=28";
template <class X, Spec batch = "">
concept Image = Float<X, batch + image>;
auto f(Image<"batch"> auto const& x) { return eval(x); }
void g() { f(Float32<"28 28">()); }
