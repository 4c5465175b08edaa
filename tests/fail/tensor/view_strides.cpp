// expect: wrong_number_of_strides
// expect: "view"
// expect: "n m=3"
// expect: 2, 3
#include <tenon/tenon.hpp>

using namespace tenon;

float numbers[6]{};
auto x = view<Float32<"n m=3">>(numbers, 2, ViewStrides(3, 1, 1));
