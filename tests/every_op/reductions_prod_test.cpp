#include <tenon/autodiff/higher_order.hpp>

#include "reduction_definitions.hpp"

namespace folds_prod_test {

using namespace every_op;

TEST_CASE_TEMPLATE("prod is correct over rows and columns, with its gradient", D, Cpu, Reference) {
  check_groups<ProdOf, D>("c", [](auto const& x) { return prod<"c">(x, keep); });
  check_groups<ProdOf, D>("b", [](auto const& x) { return prod<"b">(x); });
}

TEST_CASE_TEMPLATE(
    "the derivative of prod is the product of the other factors, with or without zeros", D, Cpu,
    Reference) {
  Float64<"4 3", D> const x{{2, 3, 4}, {2, 0, -4}, {0, 3, -0.0}, {0, 0, 0}};
  Float64<"4 3", D> const expected{{12, 8, 6}, {0, -8, 0}, {0, 0, 0}, {0, 0, 0}};
  auto const rows = grad([](auto const& m) { return sum(prod<1>(m)); })(x);
  CHECK(all(rows == expected).item());
  auto const columns = grad([](auto const& m) { return sum(prod<0>(m)); })(eval(transpose(x)));
  CHECK(all(transpose(columns) == expected).item());
}

TEST_CASE_TEMPLATE("prod of integers is exact, over no elements it is 1, and with a NaN it is NaN",
                   D, Cpu, Reference) {
  CHECK(prod(Tensor<std::uint8_t, "3", D>{16, 16, 2}).item() == 512);
  CHECK(prod(Int32<"4", D>{1, -2, 3, -4}).item() == 24);
  CHECK(prod(Int32<"n", D>()).item() == 1);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(prod(Float64<"3", D>{0, nan, 1}).item()));
}

TEST_CASE("second derivatives of prod are also correct at zeros") {
  auto const product = [](auto const& v) { return prod(v); };
  Float64<"4"> const u{1, 2, 4, 8};
  auto const with_one = hvp(product, Float64<"4">{2, 0, 3, -1}, u);
  CHECK(all(with_one == Float64<"4">{2 * -3, -3 - 4 * 2 + 8 * 6, 2 * -2, 2 * 6}).item());
  auto const with_two = hvp(product, Float64<"4">{2, 0, 3, 0}, u);
  CHECK(all(with_two == Float64<"4">{0, 8 * 6, 0, 2 * 6}).item());
}

}  // namespace folds_prod_test
