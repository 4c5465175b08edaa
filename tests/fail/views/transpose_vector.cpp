// expect: axis_is_not_found
// expect: "transpose"
// expect: "-2"
// expect: "batch"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = transpose(Float32<"batch">());
