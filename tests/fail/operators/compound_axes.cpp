// expect: error::axes_do_not_fit<
// expect: "sub"
// expect: "height=28"
// expect: "width=28"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"batch height=28">& x, Float32<"batch width=28"> const& y) { x -= y; }
