// expect: wrong_number_of_axes
// expect: "eye"
// expect: "n"
// expect: 2, 1
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = eye<Float32<"n">>(3);
