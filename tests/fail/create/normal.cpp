// expect: wrong_number_of_sizes
// expect: "normal"
// expect: "n=3"
// expect: 0, 1
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = normal<Float32<"n=3">>(Key{1}, 3);
