// expect g++: cannot convert
// expect g++: to 'const double' in initialization
// expect clang++: no viable conversion
// expect clang++: to 'const double'
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"n"> const& x) { [[maybe_unused]] double const total = sum(x); }
