// expect: the leaves must be float64
#include <tenon/tenon.hpp>
#include <tenon/testing/gradient.hpp>

auto mistake(tenon::Float32<"n"> const& x) {
  return tenon::testing::check_gradient([](auto const& v) { return tenon::sum(v); }, x);
}
