// expect: axis_is_not_found<
// expect: "normalize"
// expect: "embed"
// expect: "batch n"
#include <tenon/nn.hpp>

auto unit(tenon::Float32<"batch n"> const& x) { return tenon::normalize<"embed">(x); }
