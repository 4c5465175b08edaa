// expect: shapes_do_not_align
// expect: check_close
#include <tenon/tenon.hpp>
#include <tenon/testing/close.hpp>

auto mistake(tenon::Float32<"batch digit=10"> const& a, tenon::Float32<"digit=10"> const& b) {
  return tenon::testing::check_close(a + 1, b, 1e-3);
}
