// A program without <tenon/autodiff/higher_order.hpp>.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace first_order_test {

using namespace tenon;

namespace {

auto cubes(Float64<"n"> const& x) { return sum(x * x * x); }

Float64<""> sum_of_gradient(Float64<"n"> const& x) { return sum(grad(cubes)(x)); }

}  // namespace

TEST_CASE("a gradient does not need the header of higher orders") {
  CHECK(grad(cubes)(Float64<"n">{1, 2})(1) == 12);
}

TEST_CASE("the error of a nested gradient names the header to include") {
  CHECK_THROWS_WITH_AS(grad(sum_of_gradient)(Float64<"n">{1, 2}),
                       "tenon::value_and_grad: a derivative of a derivative: expected #include "
                       "<tenon/autodiff/higher_order.hpp> in a file of the program, got none",
                       Error);
  CHECK(grad(cubes)(Float64<"n">{1, 2})(1) == 12);  // no recording is left active
}

}  // namespace first_order_test
