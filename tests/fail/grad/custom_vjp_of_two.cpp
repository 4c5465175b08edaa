// compiler: g++
// expect: no match for call
// expect note: candidate expects 2 arguments, 3 provided
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) {
  auto const twice = custom_vjp([](Float32<"n"> const& v) { return 2 * v; },
                                [](auto const& dy, auto const&) { return 2 * dy; });
  return grad([&](auto const& v) { return sum(twice(v)); })(x);
}
