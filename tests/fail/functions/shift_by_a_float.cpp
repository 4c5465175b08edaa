// expect: error::floating_literal_on_integers
// expect: "shift_left"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& x) { return x << 2.0; }
