// expect: pattern_does_not_fit
// expect: "rename"
// expect: "key=9: write a name"
// expect: "t -> key=9"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rename<"t -> key=9">(Float32<"batch t">());
