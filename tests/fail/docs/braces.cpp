// expect g++: wrong_number_of_elements
// expect clang++: call to deleted constructor
// expect note: wrong_number_of_elements<
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken() { [[maybe_unused]] Float32<"n=3"> x{1, 2, 3, 4}; }
