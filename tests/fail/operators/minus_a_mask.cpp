// expect: error::dtype_is_not_supported
// expect: "neg"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n"> const& a) { return -a; }
