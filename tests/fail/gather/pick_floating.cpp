// expect: error::dtype_is_not_supported
// expect: "pick"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& logits, Float32<"batch"> const& labels) {
  return pick<"digit">(logits, labels);
}
