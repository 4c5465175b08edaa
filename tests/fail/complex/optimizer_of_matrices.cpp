// expect: tenon::optim: a leaf is complex; SGD and AdamW take it, LBFGS, Muon and ZeRO do not
#include <tenon/complex.hpp>
#include <tenon/optim.hpp>

using namespace tenon;

auto mistaken(Complex64<"in=2 out=2"> const& z) { return LBFGS{}.init(z); }
