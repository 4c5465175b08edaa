// expect: wrong_number_of_axes<
// expect: "causal_attention"
// expect: "t head=2 feature=3"
// expect: 4
#include <tenon/tenon.hpp>

auto attended(tenon::Float32<"t head=2 feature=3"> const& x) { return causal_attention(x, x, x); }
