// expect: floating_literal_on_integers<
// expect: "elu"
// expect: "int32"
#include <tenon/nn.hpp>
#include <tenon/tenon.hpp>

auto activated(tenon::Int32<"n"> const& x) { return tenon::elu(x); }
