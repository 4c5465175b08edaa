// expect: dtypes_differ
// expect: "assign"
// expect: "float32"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(MutableView<float, "n"> x) { assign(x, Float64<"n">()); }
