// Tensors in device memory are values, like those on the host.

#include <doctest/doctest.h>

#include "toy_device.hpp"

namespace toy_values_test {

using namespace tenon;

TEST_CASE("a view for writing on a device writes to its tensor and to no copy") {
  auto x = to<Toy>(full<Float32<"n">>(3.0f, 100));
  {
    auto const view = mutable_view(x);
    auto const y = x;
    assign(view, 1);
    CHECK(y(0) == 3);
    CHECK(x(0) == 1);
  }
  auto const y = x;
  CHECK(y.data() == x.data());
}

TEST_CASE("access to a moved-from device tensor throws, or it is empty") {
  auto x = to<Toy>(ones<Float32<"n">>(3));
  auto const y = std::move(x);
  CHECK(y(2) == 1);
  CHECK(to_string(x) == "[]");
  auto s = to<Toy>(ones<Float32<"2">>());
  auto const t = std::move(s);
  CHECK(t(1) == 1);
  CHECK_THROWS_WITH_AS(
      to_string(s),
      "tenon::Tensor: a tensor that was moved from has no elements: assign to it first", Error);
}

TEST_CASE("reading a number from a recorded device tensor throws") {
  auto const x = to<Toy>(ones<Float32<"n">>(3));
  CHECK_THROWS_AS(grad([](auto const& v) { return sum(v) * v(0); })(x), Error);
  CHECK(grad([](auto const& v) { return sum(v * v) * stop_gradient(v)(0); })(x)(1) == 2);
}

TEST_CASE("empty_cache frees the idle memory of a device") {
  { auto const x = to<Toy>(ones<Float32<"n">>(1000)); }
  tenon::memory::empty_cache<Toy>();
  int const used = Toy::blocks;
  { auto const x = to<Toy>(ones<Float32<"n">>(1000)); }
  CHECK(Toy::blocks == used + 1);
  tenon::memory::empty_cache<Toy>();
  CHECK(Toy::blocks == used);
}

}  // namespace toy_values_test
