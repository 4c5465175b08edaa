// expect: wrong_number_of_sizes
// expect: "ones"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = ones<Float32<"n m">>(3, 2.5);
