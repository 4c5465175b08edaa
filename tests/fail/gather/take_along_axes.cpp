// expect: error::shapes_do_not_align
// expect: "take_along"
// expect: "batch digit=10"
// expect: "row k=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x, Int32<"row k=3"> const& ids) {
  return take_along<"digit">(x, ids);
}
