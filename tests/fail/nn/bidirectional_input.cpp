// expect: axes_do_not_fit<
// expect: "LSTM"
// expect: "input=5"
// expect: "input=4"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Bidirectional<LSTM<"input=4", "hidden=16">> const& layer,
              Float32<"batch time input=5"> const& x) {
  return layer(x);
}
