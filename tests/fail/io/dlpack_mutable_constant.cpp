// expect: error::elements_are_constant
// expect: "to_mutable_dlpack"
// expect: "use to_dlpack"
#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>

auto* mistaken(tenon::Float32<"n"> const& x) { return tenon::to_mutable_dlpack(x); }
