// expect: error::axes_do_not_fit<
// expect: "Conv1d"
// expect: "time=4"
// expect: "time=5"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Conv1d<"channel=3", "feature=8", 5> const& conv,
              Float32<"batch channel=3 time=4"> const& x) {
  return conv(x);
}
