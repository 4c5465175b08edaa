// expect: malformed_spec
// expect: "*batch"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = as<"*batch 784">(Float32<"batch pixel=784">());
