// expect: error::type_is_a_template_argument<
// expect: "bernoulli<Float32<\"n m\">>"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Key const& key) { return bernoulli<"n=3">(key); }
