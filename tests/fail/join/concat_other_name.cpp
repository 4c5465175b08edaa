// expect: error::axis_is_not_found
// expect: "concat"
// expect: "t"
// expect: "batch s"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch t"> const& a, Float32<"batch s"> const& b) {
  return concat<"t">(a, b);
}
