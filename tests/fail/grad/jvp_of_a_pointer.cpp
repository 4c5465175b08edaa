// expect: error::field_is_no_tree<
// expect: "jvp"
// expect: "is a pointer: use Constant<>"
// expect: "x"
#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

struct Point {
  Float32<""> const* x;
};

auto mistaken(Point const& at) {
  return jvp([](Point const& p) { return *p.x; }, at, at);
}
