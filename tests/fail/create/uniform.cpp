// expect: wrong_number_of_sizes
// expect: "uniform"
// expect: "n m"
// expect: 2, 1
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = uniform<Float32<"n m">>(Key{1}, 3);
