// expect: wrong_number_of_axes<
// expect: "pdist"
// expect: "batch n d=3"
#include <tenon/nn.hpp>

auto distances(tenon::Float32<"batch n d=3"> const& x) { return tenon::pdist<"n">(x); }
