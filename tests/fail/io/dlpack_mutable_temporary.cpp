// expect: error::temporary_has_no_lasting_elements
// expect: "to_mutable_dlpack"
// expect: "use to_dlpack"
#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>

auto* mistaken() { return tenon::to_mutable_dlpack(tenon::Float32<"n">()); }
