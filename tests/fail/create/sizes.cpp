// expect: wrong_number_of_sizes
// expect: "zeros"
// expect: "batch 784"
// expect: 1, 2
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = zeros<Float32<"batch 784">>(32, 784);
