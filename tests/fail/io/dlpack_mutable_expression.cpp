// expect: error::expression_has_no_elements
// expect: "to_mutable_dlpack"
#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>

auto* mistaken(tenon::Float32<"n"> const& x) { return tenon::to_mutable_dlpack(x + x); }
