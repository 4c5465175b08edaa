// expect: no match
// expect note: Picture
// expect note clang++: "channel=3: expected channel=3, got 4"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X>
concept Picture = Float<X, "height width"> || UInt<X, "height width channel=3">;
auto f(Picture auto const& x) { return eval(x); }
auto y = f(Tensor<std::uint8_t, "5 6 4">());
