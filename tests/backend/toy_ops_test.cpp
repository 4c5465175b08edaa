// Operations that devices may delegate to the host, on a device without kernels for them.

#include <doctest/doctest.h>

#include <tenon/autodiff/higher_order.hpp>

#include "suite/whole_ops.hpp"
#include "toy_device.hpp"

namespace toy_ops_test {

using namespace tenon;

TEST_CASE("functions that a device delegates to the host agree with reference") {
  suite::expect_as_reference(suite::whole_ops<Toy>(), suite::expected_whole_ops());
}

TEST_CASE("the delegation to the host can be disabled") {
  auto const x = to<Toy>(ones<Float32<"n">>(3));
  Fallback const before = set_fallback(Fallback::refused);
  CHECK_THROWS_WITH_AS(cumsum<"n">(x), "tenon::toy: 'cumsum': expected a kernel, got none",
                       DeviceError);
  CHECK_THROWS_WITH_AS(hvp([](auto const& a) { return sum(a * a); }, x, x),
                       "tenon::toy: 'a gradient of a gradient': expected a kernel, got none",
                       DeviceError);
  set_fallback(before);
  CHECK(to_string(cumsum<"n">(x)) == "[1. 2. 3.]");
}

TEST_CASE("the backend of a device names the host device that computes for it") {
  using Numbers = Tensor<float, "n", Toy>;
  auto const same = []<class Here>(std::type_identity<Here>, Here const& here) {
    static_assert(std::same_as<typename Here::device, ToyBackend::host>);
    return here;
  };
  Numbers const x = to<Toy>(ones<Float32<"n">>(3));
  CHECK(to_string(ToyBackend::linear_algebra<tenon::internal::linalg::CholeskyName, Numbers>(
            same, x)) == "[1. 1. 1.]");
}

TEST_CASE("indices on a device are checked") {
  auto const x = to<Toy>(ones<Float32<"n">>(3));
  CHECK_THROWS_WITH_AS(take<"n">(x, Tensor<std::int32_t, "k=1", Toy>{3}),
                       "tenon::take: expected ids from 0 to 2, got 3 (id 0)", IndexError);
}

}  // namespace toy_ops_test
