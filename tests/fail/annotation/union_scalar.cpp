// expect: no_annotation_fits
// expect: annotation_does_not_fit
// expect: "expected 2 axes, got 0 axes"
// expect: "batch pixel=7"
// expect: "expected 1 axis, got 0 axes"
// expect: "pixel=7"
// expect: ""
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X>
  requires Float<X, "batch pixel=7"> || Float<X, "pixel=7">
auto f(X const& x) {
  return eval(x);
}
auto f(auto const& x) -> UnionMistake<decltype(x), "batch pixel=7", "pixel=7">;
auto y = f(Float32<"">());
