// expect: error::dtype_is_not_supported
// expect: "one_hot"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch"> const& ids) { return one_hot<"digit=10">(ids); }
