// expect: error::pattern_is_a_template_argument<
// expect: "reshape<\"row=3 column=2\">(x)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"2 3"> const& x) { return reshape<"a b">(x, {3, 2}); }
