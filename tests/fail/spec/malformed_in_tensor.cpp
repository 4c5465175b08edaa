// expect: malformed_spec
// expect: "batch *4"
// expect: "*4"
// expect: "* takes a name, not a size"
#include <tenon/tenon.hpp>

using namespace tenon;

Tensor<float, "batch *4"> mistaken;
