// expect: tenon::optim: a leaf is neither float32 nor float64; take MasterWeights
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Linear<"in=2", "out=2", bfloat16> const& layer) { return AdamW{}.init(layer); }
