// expect: shapes_do_not_align
// expect: "assign"
// expect: "n m"
// expect: "m"
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(MutableView<float, "n m"> x) { assign(x, Float32<"m">()); }
