#include <doctest/doctest.h>

#include <tenon/autodiff/loops.hpp>
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

namespace loops_test {

using namespace tenon;

namespace {

using Vector = Float64<"n=3">;
using Scalar = Float64<"">;

/// x after i x + w, for each i.
Vector affine(Vector const& x, Vector const& w, int lower, int upper) {
  return fori_loop(
      lower, upper,
      [](int i, Vector const& carry, Vector const& by) -> Vector {
        return 0.1 * i * carry + sin(by);
      },
      x, w);
}

}  // namespace

TEST_CASE("fori_loop runs a step for each index, and none for an empty range") {
  Vector const x{1, 2, 3}, w{0.5, -1, 2};
  Vector expected = x;
  for (int i = 2; i < 5; ++i) expected = Vector(0.1 * i * expected + sin(w));
  CHECK(all(affine(x, w, 2, 5) == expected).item());
  CHECK(all(affine(x, w, 5, 2) == x).item());
  CHECK(all(affine(x, w, 3, 3) == x).item());
}

TEST_CASE("the gradient of fori_loop reaches the start and the parameters") {
  std::pair<Vector, Vector> const at{{1, 2, 3}, {0.5, -1, 2}};
  CHECK_GRADIENT([](auto const& p) { return sum(square(affine(p.first, p.second, 1, 4))); }, at);
}

TEST_CASE("while_loop stops at its condition; its gradient is that of the steps") {
  auto const halved = [](Scalar const& from) {
    return while_loop([](Scalar const& x) { return x > 1.0; },
                      [](Scalar const& x) -> Scalar { return x * x * 0.05; }, from);
  };
  CHECK(halved(Scalar(0.5)).item() == 0.5);
  double const once = 0.05 * 6 * 6;
  CHECK(halved(Scalar(6)).item() == doctest::Approx(0.05 * once * once));
  CHECK(grad(halved)(Scalar(6)).item() == doctest::Approx(4 * 0.05 * 0.05 * 0.05 * 6 * 6 * 6));
  CHECK(grad(halved)(Scalar(0.5)).item() == 1);
  auto const [sum, count] =
      while_loop([](auto const& c) { return c.second < 4; },
                 [](auto const& c) { return std::pair(Scalar(c.first + c.second), c.second + 1); },
                 std::pair(Scalar(0), 0));
  CHECK(sum.item() == 6);
  CHECK(count == 4);
}

}  // namespace loops_test
