// expect: axes_do_not_fit<
// expect: "ctc_loss"
// expect: "batch"
// expect: "sequence"
// expect: "time batch class=5"
#include <tenon/nn.hpp>

float loss(tenon::Float32<"time batch class=5"> const& log_p,
           tenon::Int32<"sequence label"> const& labels, tenon::Int32<"batch"> const& n) {
  return tenon::ctc_loss<"time", "class">(log_p, labels, n, n, {.blank = 4}).item();
}
