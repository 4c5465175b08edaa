// expect: dtypes_differ
// expect: "set"
// expect: "float32"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = set<"t">(Float32<"batch t">(), 0, Int32<"batch">());
