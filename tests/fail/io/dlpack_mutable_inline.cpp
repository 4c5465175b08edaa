// expect: error::elements_are_inline
// expect: "to_mutable_dlpack"
// expect: "use to_dlpack"
// expect: "n=3"
#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>

auto* mistaken(tenon::Float32<"n=3">& x) { return tenon::to_mutable_dlpack(x); }
