// expect: wrong_number_of_sizes
// expect: "eye"
// expect: "n m"
// expect: 2, 1
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = eye<Float32<"n m">>(3);
