// expect: shapes_do_not_align<
// expect: "GRU"
// expect: "sequence"
// expect: "batch"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(GRU<"input=4", "hidden=16"> const& gru, Float32<"batch time input=4"> const& x,
              Int32<"sequence"> const& lengths) {
  return gru(x, lengths);
}
