// expect: dtype_is_not_supported
// expect: "set"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = set<"t">(Float32<"batch t">(), Float32<"k">(), Float32<"batch k">());
