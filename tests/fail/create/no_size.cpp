// expect: wrong_number_of_sizes
// expect: "full"
// expect: "n m"
// expect: 2, 1
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = full<Float32<"n m">>(1.0f, 3);
