// expect g++: operands to '?:' have different types
// expect clang++: incompatible operand types
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n"> mistaken(Float32<"n"> const& x, bool scaled) { return scaled ? 2 * x : x + 0; }
