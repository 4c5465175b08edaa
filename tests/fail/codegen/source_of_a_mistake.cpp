// expect: error::axes_do_not_fit
// expect: "add"
// expect: "height=28"
#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>

using namespace tenon;

auto mistaken(Float32<"height=28"> const& x, Float32<"width=28"> const& y) {
  return kernel_source(x + y);
}
