// expect: carry_has_another_type<
// expect: "while_loop"
// expect: "n=3"
#include <tenon/autodiff/loops.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto longer(Float32<"n"> const& x) {
  return while_loop([](auto const& c) { return sum(c) < 1.0f; },
                    [](auto const&) { return Float64<"n=3">(); }, x);
}
