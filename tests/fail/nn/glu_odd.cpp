// expect: axis_does_not_split<
// expect: "2 equal parts"
// expect: "embed=7"
#include <tenon/nn.hpp>

auto activated(tenon::Float32<"t embed=7"> const& x) { return tenon::glu<"embed">(x); }
