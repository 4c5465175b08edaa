// expect: axes_do_not_fit
// expect: check_close
#include <tuple>

#include <tenon/tenon.hpp>
#include <tenon/testing/close.hpp>

auto mistake(std::tuple<tenon::Float32<"2">> const& a, std::tuple<tenon::Float32<"3">> const& b) {
  return tenon::testing::check_close(a, b);
}
