// expect g++: cannot convert
// expect g++: to 'const float' in initialization
// expect clang++: no viable conversion
// expect clang++: to 'const float'
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"n"> const& x) { [[maybe_unused]] float const total = sum(x); }
