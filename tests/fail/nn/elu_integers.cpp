// expect: floating_literal_on_integers<
// expect: "elu"
// expect: "int32"
#include <tenon/nn.hpp>

auto activated(tenon::Int32<"n"> const& x) { return tenon::elu(x); }
