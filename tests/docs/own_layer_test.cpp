// The layer that CONTRIBUTING.md adds.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

struct GatedUnit {
  Float32<"model=4 hidden=6"> gate;
  Float32<"model=4 hidden=6"> value;
  Float32<"hidden=6 model=4"> out;

  auto operator()(Float<"batch model=4"> auto const& x) const {
    return eval(matmul(silu(matmul(x, gate)) * matmul(x, value), out));  // "batch model=4"
  }
};

}  // namespace

TEST_CASE("a layer of a user's own is called and differentiated") {
  auto const x = ones<Float32<"batch model=4">>(3);
  GatedUnit const unit{full<Float32<"model=4 hidden=6">>(0.25f),
                       full<Float32<"model=4 hidden=6">>(0.5f),
                       full<Float32<"hidden=6 model=4">>(1.0f)};
  static_assert(shape_of<decltype(unit(x))> == "batch model=4");
  // silu(1) * 2 in each of six hidden units
  CHECK(unit(x)(2, 3) == doctest::Approx(6 * 2 / (1 + std::exp(-1.0))));
  auto const [total, gradient] =
      value_and_grad([&](GatedUnit const& u) { return sum(u(x)); })(unit);
  CHECK(gradient.out(0, 0) == doctest::Approx(3 * 2 / (1 + std::exp(-1.0))));
}
