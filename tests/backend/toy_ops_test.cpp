// What devices may leave to the host, on a device that has no kernels of its own for it.

#include <doctest/doctest.h>

#include <tenon/autodiff/higher_order.hpp>

#include "suite/whole_ops.hpp"
#include "toy_device.hpp"

namespace toy_ops_test {

using namespace tenon;

TEST_CASE("functions that a device leaves to the host give what reference gives") {
  suite::expect_as_reference(suite::whole_ops<Toy>(), suite::expected_whole_ops());
}

TEST_CASE("what a device has no kernel for can be refused") {
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

TEST_CASE("a device's backend names the device of the host that computes for it") {
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
