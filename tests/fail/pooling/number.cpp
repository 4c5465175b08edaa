// expect: error::axis_is_a_template_argument
// expect: "max_pool"
// expect: "max_pool<\"height width\", 2>(x)"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch t"> const& x) { return max_pool(x, 2); }
