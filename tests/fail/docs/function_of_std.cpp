// expect: no matching function for call to 'exp
#include <cmath>
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return std::exp(2 * x); }
