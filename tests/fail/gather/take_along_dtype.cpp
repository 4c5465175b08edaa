// expect: error::dtype_is_not_supported
// expect: "take_along"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x, Float32<"batch k=3"> const& ids) {
  return take_along<"digit">(x, ids);
}
