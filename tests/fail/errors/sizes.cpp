// expect: errors/sizes.cpp:9
// expect note: sizes_are_no_elements
// expect note: "zeros or braces"
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

auto f() { return Float32<"a b">(2, 3); }
