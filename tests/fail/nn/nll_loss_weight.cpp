// expect: axes_do_not_fit<
// expect: "nll_loss"
// expect: "digit=10"
// expect: "digit=9"
// expect: "batch digit=10"
#include <tenon/nn.hpp>

float loss(tenon::Float32<"batch digit=10"> const& x, tenon::Int32<"batch"> const& labels,
           tenon::Float32<"digit=9"> const& weight) {
  return tenon::nll_loss<"digit">(x, labels, weight).item();
}
