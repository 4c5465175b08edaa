// expect: error::axis_is_a_template_argument<
// expect: "take<\"vocab\">(table, ids)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x, Int32<"n"> const& ids) { return take(x, ids, 0); }
