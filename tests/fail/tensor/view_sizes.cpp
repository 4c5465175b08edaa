// expect: wrong_number_of_sizes
// expect: "view"
// expect: "n m=3"
// expect: 1, 2
#include <tenon/tenon.hpp>

using namespace tenon;

float numbers[6]{};
auto x = view<Float32<"n m=3">>(numbers, 2, 3);
