// expect: error::axes_do_not_fit
// expect: "where"
// expect: "key=8"
// expect: "key=7"
// expect: "query key=8"
// expect: "query key=7"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"query key=8"> const& mask, Float32<"query key=7"> const& scores) {
  return where(mask, scores, 0.0f);
}
