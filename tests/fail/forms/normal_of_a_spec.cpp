// expect: error::type_is_a_template_argument<
// expect: "normal<Float32<\"n m\">>"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Key const& key) { return normal<"n=3">(key); }
