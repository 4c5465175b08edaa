// expect: error::name_is_ambiguous
// expect: "sum"
// expect: "n"
// expect: "n n"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n n"> const& x) { return sum<"n">(x); }
