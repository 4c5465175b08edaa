// expect: pattern_does_not_fit
// expect: "rename"
// expect: "t is renamed twice"
// expect: "t -> a, t -> b"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rename<"t -> a, t -> b">(Float32<"batch t">());
