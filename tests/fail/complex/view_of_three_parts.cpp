// expect: error::axes_do_not_fit
// expect: "view_as_complex"
// expect: "part=3"
#include <tenon/complex.hpp>

using namespace tenon;

auto mistaken(Float32<"n part=3"> const& x) { return view_as_complex(x); }
