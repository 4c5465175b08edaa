// expect: error::axes_do_not_fit
// expect: "sub"
// expect: "4"
// expect: "3"
// expect: "3 4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"3 4"> const& x) { return x - max<-1>(x); }
