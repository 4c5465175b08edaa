// Random tensors, and the initialisation of models, on an OpenCL device.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "opencl_device.hpp"

namespace opencl_draws_test {

using namespace tenon;

namespace {

template <class X>
bool same_bits(X const& expected, auto const& there) {
  auto const here = to<Cpu>(there);
  static_assert(std::same_as<X const, decltype(here)>);
  return here.sizes() == expected.sizes() &&
         std::memcmp(here.data(), expected.data(),
                     sizeof(*here.data()) * static_cast<std::size_t>(here.size())) == 0;
}

template <class D = Cpu>
struct Model {
  Embedding<"word", "embed=8", D> words;
  LayerNorm<"embed=8", D> norm;
  std::array<Linear<"embed=8", "embed=8", D>, 2> layers;
  Float64<"embed=8 word", D> head;
};

}  // namespace

TEST_CASE("draws without transcendental functions have the same bits on every device") {
  if (!has_device()) return;
  Key const key(7);
  CHECK(
      same_bits(uniform<Float32<"n m">>(key, 3, 50), uniform<Float32<"n m", OpenCl>>(key, 3, 50)));
  CHECK(same_bits(uniform<Float64<"n">>(key, 50), uniform<Float64<"n", OpenCl>>(key, 50)));
  CHECK(same_bits(uniform<Int64<"n">>(key, -5, 1000, 50),
                  uniform<Int64<"n", OpenCl>>(key, -5, 1000, 50)));
  CHECK(same_bits(bernoulli<Mask<"n">>(key, 0.3, 50), bernoulli<Mask<"n", OpenCl>>(key, 0.3, 50)));
  CHECK(same_bits(permutation<Int32<"n">>(key, 50), permutation<Int32<"n", OpenCl>>(key, 50)));
}

TEST_CASE("normal draws agree with the processor within 2 ulp") {
  if (!has_device()) return;
  auto const here = normal<Float32<"n">>(Key(8), 5000);
  auto const there = to<Cpu>(normal<Float32<"n", OpenCl>>(Key(8), 5000));
  for (std::int64_t i = 0; i < here.size(); ++i) {
    float const x = here.data()[i], y = there.data()[i];
    REQUIRE(std::abs(x - y) <= 2 * std::abs(std::nextafter(x, 10.0f) - x));
  }
}

TEST_CASE("categorical draws are the same on every device") {
  if (!has_device()) return;
  auto const logits = normal<Float32<"batch class">>(Key(1), 200, 9);
  CHECK(same_bits(categorical<"class">(Key(2), logits),
                  categorical<"class">(Key(2), to<OpenCl>(logits))));
}

TEST_CASE("a model is initialised with the same bits on every device") {
  if (!has_device()) return;
  Model<> sizes;
  sizes.words.weight = zeros<Float32<"word embed=8">>(11);
  sizes.head = zeros<Float64<"embed=8 word">>(11);
  auto const here = tenon::init::normal(Key(3), 0.1, sizes);
  auto const there = tenon::init::normal(Key(3), 0.1, to<OpenCl>(sizes));
  static_assert(std::same_as<Model<OpenCl> const, decltype(there)>);
  CHECK(same_bits(here.words.weight, there.words.weight));
  CHECK(same_bits(here.norm.weight, there.norm.weight));
  CHECK(same_bits(here.layers[1].weight, there.layers[1].weight));
  CHECK(same_bits(here.layers[1].bias, there.layers[1].bias));
  CHECK(same_bits(here.head, there.head));
}

TEST_CASE("an id out of range throws on a device") {
  if (!has_device()) return;
  auto const table = to<OpenCl>(iota<Float32<"row=3 column=2">>());
  auto const ids = to<OpenCl>(iota<Int32<"n">>(4));
  CHECK_THROWS_WITH_AS((take<"row">(table, ids)),
                       "tenon::take: expected ids from 0 to 2, got 3 (id 3)", IndexError);
}

}  // namespace opencl_draws_test
