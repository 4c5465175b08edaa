// Tensors in a device's memory are values as those of the host are.

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

TEST_CASE("a tensor of a device that was moved from is empty, or says so") {
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

TEST_CASE("a number of what is recorded on a device is refused") {
  auto const x = to<Toy>(ones<Float32<"n">>(3));
  CHECK_THROWS_AS(grad([](auto const& v) { return sum(v) * v(0); })(x), Error);
  CHECK(grad([](auto const& v) { return sum(v * v) * stop_gradient(v)(0); })(x)(1) == 2);
}

TEST_CASE("empty_cache gives a device its idle memory back") {
  { auto const x = to<Toy>(ones<Float32<"n">>(1000)); }
  tenon::memory::empty_cache<Toy>();
  int const used = Toy::blocks;
  { auto const x = to<Toy>(ones<Float32<"n">>(1000)); }
  CHECK(Toy::blocks == used + 1);
  tenon::memory::empty_cache<Toy>();
  CHECK(Toy::blocks == used);
}

}  // namespace toy_values_test
