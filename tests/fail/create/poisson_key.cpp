// expect: key_is_missing
// expect: "poisson"
// expect: "poisson<R>(Key(42), 4.0, n)"
#include <tenon/distributions.hpp>

using namespace tenon;

auto x = random::poisson<Int32<"n">>(4.0, 10);
