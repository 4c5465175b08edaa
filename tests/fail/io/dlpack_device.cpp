// expect: error::device_has_no_dlpack
// expect: "to_dlpack"
// expect: "mps"
#include <tenon/backend/metal.hpp>
#include <tenon/io/dlpack.hpp>

auto* mistaken(tenon::Float32<"n", tenon::Mps> const& x) { return tenon::to_dlpack(x); }
