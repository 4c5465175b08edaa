// expect g++: sizes_are_no_elements
// expect g++: "zeros or braces"
// expect clang++: call to deleted constructor
// expect note: sizes_are_no_elements<
// expect note: "zeros or braces"
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken() { [[maybe_unused]] Float32<"row column"> x(2, 3); }
