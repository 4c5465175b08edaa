// expect: error::axis_is_not_found<
// expect: "max_pool"
// expect: "width"
// expect: "batch channel height"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch channel height"> const& x) { return MaxPool2d<2>()(x); }
