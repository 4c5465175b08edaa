// expect: error::nothing_is_learned
// expect: "vjp"
// expect: "no tensor is floating"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& x) {
  return vjp([](Int32<"n"> const& at) { return eval(to<float>(at)); }, x);
}
