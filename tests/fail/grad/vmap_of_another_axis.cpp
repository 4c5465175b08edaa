// expect: error::axis_is_not_found
// expect: "vmap"
// expect: "sample"
// expect: "batch n=3"
#include <tenon/transformations.hpp>

using namespace tenon;

auto mistaken(Float64<"batch n=3"> const& x) {
  return vmap<"sample">([](Float64<"n=3"> const& v) { return sum(v); })(x);
}
