// expect: wrong_number_of_sizes<
// expect: "randint"
// expect: "n m"
#include <tenon/distributions.hpp>

auto dice() { return tenon::random::randint<tenon::Int32<"n m">>(tenon::Key(1), 1, 7, 10); }
