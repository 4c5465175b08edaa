// expect: wrong_number_of_sizes
// expect: "from_span"
// expect: "n 3"
// expect: 1, 0
#include <tenon/tenon.hpp>

using namespace tenon;

float const numbers[6]{};
auto x = from_span<Float32<"n 3">>(numbers);
