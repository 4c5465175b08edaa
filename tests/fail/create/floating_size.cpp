// expect: wrong_number_of_sizes
// expect: "ones"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = ones<Float32<"n m">>(3, 2.5);
