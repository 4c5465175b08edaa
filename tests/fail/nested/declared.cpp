// expect: error::axes_do_not_fit<
// expect: "add"
// expect: "width=4"
// expect: "width=5"
// expect: "batch width=4"
// expect: "batch width=5"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class T>
void mistaken(Float32<"batch width=4"> const& x, Float32<"batch width=5"> const& y) {
  Float32<"batch width=4"> const z = exp(x + y);
}
template void mistaken<int>(Float32<"batch width=4"> const&, Float32<"batch width=5"> const&);
