// expect: pattern_does_not_fit
// expect: "checked"
// expect: "*batch c, c d -> *batch d"
// expect: "batch pixel=784"
// expect: "hidden=128 digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto f = checked<"*batch c, c d -> *batch d">([](auto const& x, auto const&) { return x; });
auto y = f(Float32<"batch pixel=784">(), Float32<"hidden=128 digit=10">());
