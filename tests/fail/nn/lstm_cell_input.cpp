// expect: axes_do_not_fit<
// expect: "LSTMCell"
// expect: "input=5"
// expect: "input=4"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(LSTMCell<"input=4", "hidden=8"> const& cell, Float32<"batch input=5"> const& x) {
  return cell(x);
}
