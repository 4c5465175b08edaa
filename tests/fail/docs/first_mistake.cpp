// expect: error::axes_do_not_fit
// expect: "matmul"
// expect: "column=3"
// expect: "row=2"
// expect: "row=2 column=3"
// shown in: docs/getting_started.md
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"row=2 column=3"> const& x) { return matmul(x, x); }
