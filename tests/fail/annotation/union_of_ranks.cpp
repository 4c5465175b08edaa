// expect: no match
// expect note: Picture
// expect note g++: no operand of the disjunction is satisfied
// expect note clang++: "expected 2 axes, got 3 axes"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X>
concept Picture = Float<X, "height width"> || UInt<X, "height width channel=3">;
auto f(Picture auto const& x) { return eval(x); }
auto y = f(Float32<"5 6 3">());
