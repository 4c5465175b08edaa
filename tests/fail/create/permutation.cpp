// expect: wrong_number_of_axes
// expect: "permutation"
// expect: "n m"
// expect: 1, 2
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = permutation<Int32<"n m">>(Key{1}, 3, 4);
