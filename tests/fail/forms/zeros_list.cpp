// expect: error::sizes_are_separate_arguments<
// expect: "zeros<R>(n, m)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return zeros<Float32<"n m">>({3, 4}); }
