// expect: axes_do_not_fit
// expect: "as"
// expect: "row"
// expect: "batch"
// expect: "row 784"
// expect: "batch pixel=784"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = as<"row 784">(Float32<"batch pixel=784">());
