// expect: axes_do_not_fit
// expect: check_close
// expect: digit=10
// expect: digit=12
#include <tenon/tenon.hpp>
#include <tenon/testing/close.hpp>

auto mistake(tenon::Float32<"batch digit=10"> const& a, tenon::Float32<"batch digit=12"> const& b) {
  return tenon::testing::check_close(a, b);
}
