// expect: error::function_does_not_take<
// expect: "scan"
// expect: "n"
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"time n"> const& x, Float32<"n"> const& start) {
  return scan<"time">([](Float32<"n"> const& s, Float32<"m k"> const&) { return s; }, start, x);
}
