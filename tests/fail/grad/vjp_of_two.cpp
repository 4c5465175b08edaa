// expect: error::other_arguments_are_captured<
// expect: "vjp([&](auto const& x) {...}, x)"
// expect lines: 9
#include <tenon/tenon.hpp>

using namespace tenon;

auto const f = [](Float32<"n=3"> const& x, Float32<"n=3"> const& y) { return sum(x * y); };
auto mistaken(Float32<"n=3"> const& x) { return vjp(f, x, x); }
