// expect: error::pattern_is_a_template_argument<
// expect: "expand<\"batch n\">(x, 4)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"2 3"> const& x) { return expand(x, 4, 3); }
