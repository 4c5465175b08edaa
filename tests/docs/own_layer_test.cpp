// The layers of CONTRIBUTING.md.

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

struct RMSNorm {
  Float32<"model=4"> weight = ones<Float32<"model=4">>();
  Float32<"model=4"> bias;
  float epsilon = 1e-5f;

  auto operator()(Float<"batch model=4"> auto const& x) const {
    return eval(x * rsqrt(mean<"model">(square(x), keep) + epsilon) * weight + bias);
  }
  template <class Initializer>
  RMSNorm init_parameters(Initializer& initializer) const {
    return {weight, initializer.zeros(bias), epsilon};
  }
};

/// The same without its own initialisation.
struct PlainNorm {
  Float32<"model=4"> weight = ones<Float32<"model=4">>();
  Float32<"model=4"> bias;
};
struct Block {
  RMSNorm norm;
  GatedUnit unit;
  PlainNorm plain;
};

}  // namespace

TEST_CASE("a user-defined layer is called and differentiated") {
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

TEST_CASE("a user-defined layer is initialised with its default values") {
  auto const block = init::normal<Block>(Key(1), 0.02f);
  for (int i = 0; i < 4; ++i) {
    CHECK(block.norm.weight(i) == 1.0f);
    CHECK(block.norm.bias(i) == 0.0f);
    CHECK(block.plain.weight(i) == 1.0f);
    CHECK(block.plain.bias(i) != 0.0f);
    CHECK(block.unit.gate(i, 0) != 0.0f);
  }
  auto const x = Float32<"batch model=4">{{1, 1, 1, 1}, {2, 2, 2, 2}};
  CHECK(block.norm(x)(1, 0) == doctest::Approx(1.0));
}
