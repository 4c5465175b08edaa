// expect: spec_is_not_canonical
// expect: "n=3"
#include <tenon/tenon.hpp>

using namespace tenon;

Tensor<float, spec("n={}", 3)> mistaken;
