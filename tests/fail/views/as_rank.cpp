// expect: shapes_do_not_align
// expect: "as"
// expect: "batch"
// expect: "batch pixel=784"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = as<"batch">(Float32<"batch pixel=784">());
