// expect: tenon::init: complex tensors are drawn normal or uniform only; set them yourself
#include <tenon/complex.hpp>
#include <tenon/nn/initialisers.hpp>

using namespace tenon;

auto mistaken() { return init::orthogonal<Complex64<"in=2 out=2">>(Key{1}); }
