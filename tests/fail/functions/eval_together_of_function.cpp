// expect: error::shapes_do_not_align
// expect: "eval"
// expect: "n m"
// expect: "n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n m"> const& x) {
  return eval(x + 1, [](auto const& y) { return sum<"m">(y); });
}
