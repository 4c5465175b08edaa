// The interface between expressions and devices: a user-defined device passes the suite.

#include <doctest/doctest.h>

#include "suite/forward.hpp"
#include "toy_device.hpp"

namespace toy_test {

using namespace tenon;
using namespace tenon::internal;

TEST_CASE("a user-defined device agrees with reference") {
  suite::expect_as_reference(suite::forward<Toy>(), suite::expected_forward());
}

TEST_CASE("each verb of a backend is called once for each part of a formula") {
  Float32<"n m", Toy> const x = to<Toy>(ones<Float32<"n m">>(2, 3));
  ToyBackend::asked = {};
  auto const loss = [](auto const& a) { return sum(square(relu(a + 1.0f) * 2.0f)); };
  auto const derivative = grad(loss)(x);
  CHECK(ToyBackend::asked.contract == 0);
  CHECK(ToyBackend::asked.backward == ToyBackend::asked.fill);
  CHECK(derivative(1, 2) == 16);
  ToyBackend::asked = {};
  auto const y = eval(matmul(x, transpose<"m n">(x)));
  CHECK(ToyBackend::asked.contract == 1);
  CHECK(y(0, 1) == 3);
}

TEST_CASE("the error for a failed allocation contains its size and the expression") {
  CHECK_THROWS_WITH_AS((Float32<"n", Toy>::uninitialised(Sizes{std::int64_t{1} << 40})),
                       "tenon::toy: expected 4398046511104 bytes of the device's memory, got none",
                       DeviceError);
  auto const x = to<Toy>(ones<Float32<"n">>(100000));
  std::size_t const before = std::exchange(Toy::room, 5000);
  CHECK_THROWS_WITH_AS(
      eval(relu(x + x)),
      "tenon::toy: expected 400000 bytes of the device's memory, got none; for float32 "
      "\"n=100000\" = relu(add(float32 \"n=100000\", float32 \"n=100000\"))",
      DeviceError);
  Toy::room = before;
}

}  // namespace toy_test
