// expect: error::shapes_do_not_align
// expect: "pick"
// expect: "batch digit=10"
// expect: "digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& logits, Int32<"digit=10"> const& labels) {
  return pick<"digit">(logits, labels);
}
