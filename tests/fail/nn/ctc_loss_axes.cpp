// expect: name_is_ambiguous<
// expect: "ctc_loss"
#include <tenon/nn.hpp>

using namespace tenon;

float f(Float32<"time class"> const& x, Int32<"label"> const& labels, Int32<""> const& n) {
  return ctc_loss<"time", "time">(x, labels, n, n).item();
}
