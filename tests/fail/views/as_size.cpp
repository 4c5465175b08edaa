// expect: axes_do_not_fit
// expect: "as"
// expect: "batch=32"
// expect: "batch=16"
// expect: "batch=32 784"
// expect: "batch=16 pixel=784"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = as<"batch=32 784">(Float32<"batch=16 pixel=784">());
