// expect: error::dtype_is_not_supported
// expect: "grad"
// expect: "int64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& x) {
  return grad([](Int32<"n"> const& at) { return sum(at); })(x);
}
