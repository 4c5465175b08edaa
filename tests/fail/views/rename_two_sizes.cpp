// expect: pattern_does_not_fit
// expect: "rename"
// expect: "one name stands for two sizes"
// expect: "t -> c"
// expect: "t=1..2 c=5..6"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rename<"t -> c">(Float32<"t=1..2 c=5..6">());
