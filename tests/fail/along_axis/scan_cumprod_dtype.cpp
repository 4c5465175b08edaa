// expect: error::dtype_is_not_supported
// expect: "cumprod"
// expect: "bool"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"batch t"> const& x) { return cumprod<"t">(x); }
