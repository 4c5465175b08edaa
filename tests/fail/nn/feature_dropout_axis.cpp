// expect: axis_is_not_found<
// expect: "FeatureDropout"
// expect: "width"
// expect: "batch channel t"
#include <tenon/nn.hpp>

using namespace tenon;

auto dropped(Float32<"batch channel t"> const& x) { return FeatureDropout<"width">()(x, Key(1)); }
