#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n"> f(Float32<"n"> const& a, Float32<"n"> const& b) { return relu(a * b + 1); }
