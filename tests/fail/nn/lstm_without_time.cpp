// expect: error::axis_is_not_found<
// expect: "LSTM"
// expect: "time"
// expect: "batch t input=4"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(LSTM<"input=4", "hidden=16"> const& lstm, Float32<"batch t input=4"> const& x) {
  return lstm(x);
}
