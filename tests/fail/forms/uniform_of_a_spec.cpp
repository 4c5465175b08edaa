// expect: error::type_is_a_template_argument<
// expect: "uniform<Float32<\"n m\">>"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Key const& key) { return uniform<"n=3">(key); }
