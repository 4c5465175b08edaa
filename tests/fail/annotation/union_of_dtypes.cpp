// expect: no match
// expect note: Picture
// expect note g++: no operand of the disjunction is satisfied
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X>
concept Picture = Float<X, "height width"> || UInt<X, "height width channel=3">;
auto f(Picture auto const& x) { return eval(x); }
auto y = f(Int32<"5 6 3">());
