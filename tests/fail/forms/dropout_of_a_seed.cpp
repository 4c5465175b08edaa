// expect: error::key_is_missing<
// expect: "Dropout"
// expect: "dropout(x, Key(42))"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Dropout const& dropout, Float32<"n=3"> const& x) { return dropout(x, 3); }
