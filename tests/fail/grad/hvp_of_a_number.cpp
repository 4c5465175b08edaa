// expect: error::nothing_is_learned
// expect: "hvp"
// expect: "there is no tensor"
#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() {
  return hvp([](double) { return Float64<"">(1.0); }, 0.5, 1.0);
}
