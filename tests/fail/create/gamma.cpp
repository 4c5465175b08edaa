// expect: wrong_number_of_sizes
// expect: "gamma"
// expect: "n"
// expect: 1, 0
#include <tenon/distributions.hpp>

using namespace tenon;

auto x = random::gamma<Float32<"n">>(Key{1}, 2.5);
