// expect: error::axes_do_not_fit
// expect: "cholesky"
// expect: "state=4"
// expect: "sensor=4"
// expect: "state=4 sensor=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"state=4 sensor=4"> const& a) { return linalg::cholesky(a); }
