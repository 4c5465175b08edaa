// expect: spec_is_not_canonical
// expect: "n  1+n"
// expect: "n n+1"
#include <tenon/tenon.hpp>

using namespace tenon;

Tensor<float, "n  1+n"> mistaken;
