#include <doctest/doctest.h>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tensor_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

// Small tensors of static size are inline and can be constants.
static_assert(Float32<"64">::holds_elements && !Float32<"65">::holds_elements);
static_assert(Float64<"4 8">::holds_elements && !Float64<"33">::holds_elements);
static_assert(Mask<"256">::holds_elements && !Float32<"n">::holds_elements);
static_assert(Float32<"">::holds_elements && Float32<"0 n=5">::holds_elements);

// A tensor is its elements or a reference to them, the sizes of its run-time axes and a mark.
static_assert(sizeof(TapeMark) == 8);
static_assert(sizeof(Float32<"3">) == 3 * sizeof(float) + 8 && alignof(Float32<"3">) == 4);
static_assert(sizeof(Float32<"">) == sizeof(float) + 8);
static_assert(sizeof(Float64<"2 2">) == 4 * sizeof(double) + 8);
static_assert(sizeof(Mask<"3">) == 3 + 1 + 8);
static_assert(sizeof(Float32<"100 784">) == sizeof(void*) + 8);
static_assert(sizeof(Float32<"batch 784">) == sizeof(void*) + 8 + 8);
static_assert(sizeof(Float32<"a b c">) == sizeof(void*) + 3 * 8 + 8);

constexpr auto m = Float32<"2 2">{{1, 2}, {3, 4}};
static_assert(m(1, 0) == 3 && m.size() == 4 && m.rank == 2);
static_assert(matmul(m, m)(1, 1) == 22);
static_assert((m * 2.0f + 1.0f)(0, 1) == 5);
static_assert(Float32<"2 2">()(1, 1) == 0);
static_assert(Float32<"">(3.0f).item() == 3.0f);
constexpr Float32<"row=2 2"> named = m;
static_assert(named(1, 1) == 4 && named.sizes()[0] == 2);

constexpr float changed() {
  auto x = m;
  x(0, 0) = 9;
  return x(0, 0) + m(0, 0);
}
static_assert(changed() == 10);

// Convertibility of tensor types.
static_assert(std::is_constructible_v<Float32<"n m">, Float32<"2 _">>);
static_assert(std::is_constructible_v<Float32<"2 3">, Float32<"n m">>);
static_assert(!std::is_constructible_v<Float32<"2 3">, Float32<"2 4">>);
static_assert(!std::is_constructible_v<Float32<"n">, Float32<"m">>);
static_assert(!std::is_constructible_v<Float32<"n">, Float32<"n n">>);
static_assert(!std::is_constructible_v<Float32<"2 3">, Float32<"3">>);
static_assert(!std::is_constructible_v<Float32<"n">, Float64<"n">>);
static_assert(!std::is_constructible_v<Float32<"n">, Float32<"n", Reference>>);

TEST_CASE_TEMPLATE("copies share memory until one is written", D, Cpu, Reference) {
  auto x = iota<Float32<"n", D>>(100);
  auto y = x;
  CHECK(std::as_const(y).data() == std::as_const(x).data());
  y(3) = -1;
  CHECK(std::as_const(y).data() != std::as_const(x).data());
  CHECK(std::as_const(x)(3) == 3);
  CHECK(std::as_const(y)(3) == -1);
  auto const* const own = std::as_const(y).data();
  y(4) = -2;
  CHECK(std::as_const(y).data() == own);
}

TEST_CASE_TEMPLATE("moving transfers the elements", D, Cpu, Reference) {
  auto x = iota<Float32<"n", D>>(100);
  auto const* const elements = std::as_const(x).data();
  auto const y = std::move(x);
  CHECK(y.data() == elements);
  CHECK(y.size() == 100);
}

TEST_CASE("buffers are aligned to a cache line") {
  for (int n = 1; n < 40; ++n) {
    auto const x = zeros<Int8<"n">>(n);
    CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
  }
}

TEST_CASE_TEMPLATE("nested braces give elements and run-time sizes", D, Cpu, Reference) {
  Float32<"n m", D> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK(x.sizes() == Sizes{2, 3, 1, 1, 1, 1, 1, 1});
  CHECK(x(1, 0) == 4);
  Int32<"a b c", D> const y{{{1}, {2}}};
  CHECK(y.sizes() == Sizes{1, 2, 1, 1, 1, 1, 1, 1});
  CHECK(Mask<"n", D>{true, false}(1) == false);
  CHECK(Float32<"n=2 m", D>{{1}, {2}}(1, 0) == 2);
}

TEST_CASE_TEMPLATE("16-bit numbers in braces are written as numbers", T, bfloat16, float16) {
  Tensor<T, "2"> const x{1, 2};
  CHECK(float(x(1)) == 2);
  Tensor<T, "n m"> const y{{1, 2.5f}, {T(3), 0.25}};
  CHECK(y.sizes()[0] == 2);
  CHECK(float(y(0, 1)) == 2.5f);
  CHECK(float(y(1, 0)) == 3);
  CHECK(float(y(1, 1)) == 0.25f);
  constexpr Tensor<T, "2"> z{4, T(5)};
  static_assert(float(z(1)) == 5);
}

TEST_CASE_TEMPLATE("the compiler counts static elements in braces", D, Cpu, Reference) {
  Float32<"n=3", D> x = {1, 2, 3};
  CHECK(x(2) == 3);
  x = {4, 5, 6};
  CHECK(x(0) == 4);
  Float32<"2 2", D> y = {{1, 2}, {x(0), 4}};
  CHECK(y(1, 0) == 4);
  y = {{5, 6}, {7, 8}};
  CHECK(y(1, 1) == 8);
  CHECK(Float32<"1 2", D>{{1, 2}}(0, 1) == 2);
  CHECK(Float32<"2 1", D>{{1}, {2}}(1, 0) == 2);
  CHECK(Mask<"n=2", D>{false, true}(1));
  CHECK(Tensor<std::int64_t, "n=2", D>(3, 4)(1) == 4);
}

TEST_CASE("counted braces are constant expressions, of every dtype") {
  constexpr Complex64<"n=2"> z{1, {2, 3}};
  static_assert(z(1).imag() == 3);
  constexpr BFloat16<"2 2"> h{{1, 2.5f}, {3, 4}};
  static_assert(float(h(0, 1)) == 2.5f);
  static_assert(!std::is_convertible_v<float, Float32<"n=3">>);
  static_assert(!std::is_constructible_v<Float32<"n=3">, float, float>);
  static_assert(!std::is_constructible_v<Int32<"n=2">, int, double>);
  static_assert(std::is_trivially_destructible_v<Float32<"n=3">>);
}

TEST_CASE("nested braces that do not fit throw") {
  CHECK_THROWS_WITH_AS((Float32<"n m">{{1, 2}, {3}}),
                       "tenon::Tensor: the braces are ragged: expected 2 entries, got 1",
                       ShapeError);
  CHECK_THROWS_AS((Float32<"n m">{{1}, {2, 3}}), ShapeError);
  CHECK_THROWS_WITH_AS((Float32<"n=65">{1, 2, 3}),
                       "tenon::Tensor: 'n': expected 65, got 3 (\"n=65\")", ShapeError);
  CHECK_THROWS_AS((Float32<"n=1">{1, 2}), ShapeError);
  CHECK_THROWS_AS((Float32<"n=2 m">{{1, 2}}), ShapeError);
  CHECK_THROWS_AS((Float32<"n n">{{1, 2}}), ShapeError);
}

TEST_CASE("a number of elements beyond int64 throws") {
  std::int64_t const huge = std::int64_t{1} << 40;
  CHECK_THROWS_WITH_AS((Float32<"n m">::uninitialised({huge, huge})),
                       "tenon::memory: expected less than 2^63 bytes, got more", ShapeError);
}

TEST_CASE("from_span copies, and checks the number of elements") {
  std::array<float, 6> const numbers{1, 2, 3, 4, 5, 6};
  Float32<"n 3"> const x(std::span<float const>(numbers), 2);
  CHECK(x(1, 0) == 4);
  CHECK(x.data() != numbers.data());
  CHECK_THROWS_WITH_AS(Float32<"n 3">(std::span<float const>(numbers), 3),
                       "tenon::Tensor: expected 9 elements, got 6", ShapeError);
  CHECK_THROWS_WITH_AS(Float32<"n 3">(std::span<float const>(numbers), 3, 2),
                       "tenon::Tensor: \"n 3\": expected 1 run-time sizes, got 2", ShapeError);
}

TEST_CASE_TEMPLATE("an index out of range throws", D, Cpu, Reference) {
  auto x = iota<Float32<"n m", D>>(2, 3);
  CHECK_THROWS_WITH_AS(std::as_const(x)(2, 0),
                       "tenon::element: axis 0: expected an index below 2, got 2", Error);
  CHECK_THROWS_AS(x(0, 3), Error);
  CHECK_THROWS_AS(x(-1, 0), Error);
  CHECK_THROWS_AS((x + 1.0f)(0, 3), Error);
  CHECK_THROWS_AS((iota<Float32<"n", D>>(0)(0)), Error);
}

TEST_CASE_TEMPLATE("static and run-time sizes are converted with a check", D, Cpu, Reference) {
  Float32<"n m", D> const x = ones<Float32<"20 5", D>>();
  CHECK(x.sizes()[0] == 20);
  Float32<"batch=20 5", D> const y = as<"batch m">(rename<"n -> batch">(x));
  CHECK(y(19, 4) == 1);
  CHECK(std::as_const(y).data() == std::as_const(x).data());
  CHECK_THROWS_AS((Float32<"20 4", D>(x)), ShapeError);
  CHECK_THROWS_AS((Float32<"n=1..19 m", D>(x)), ShapeError);
  Float32<"2 2", D> const held = zeros<Float32<"n m", D>>(2, 2);
  CHECK(held(1, 1) == 0);
  Float32<"n m", D> const back = held;
  CHECK(back.size() == 4);
}

TEST_CASE_TEMPLATE("tensors without elements and with one", D, Cpu, Reference) {
  auto const none = zeros<Float32<"n 3", D>>(0);
  CHECK(none.size() == 0);
  CHECK((none + 1.0f).sizes()[1] == 3);
  CHECK(eval(none * 2.0f).size() == 0);
  CHECK(sum(none).item() == 0);
  Float32<"n 0", D> const narrow = zeros<Float32<"4 0", D>>();
  CHECK(narrow.sizes()[0] == 4);
  CHECK(narrow.size() == 0);
  Float32<"n", D> const one{5};
  CHECK(one(0) == 5);
  CHECK(eval(one * one)(0) == 25);
  CHECK(Float32<"n", D>().size() == 0);
}

TEST_CASE_TEMPLATE("a tensor initialised with an expression has its value", D, Cpu, Reference) {
  auto const x = iota<Float32<"n", D>>(70);
  Float32<"n", D> y = x + x;
  y = y * 2.0f;
  CHECK(y(69) == 276);
  Float32<"70", D> const z = x + y;
  CHECK(z(1) == 5);
}

TEST_CASE("a scalar converts to its element") {
  Float32<""> const x = 2.5f;
  CHECK(x.item() == 2.5f);
  CHECK(x() == 2.5f);
  CHECK((x * 2.0f).item() == 5.0f);
}

TEST_CASE("a recorded tensor cannot be written") {
  auto const f = [](auto const& x) {
    auto y = x;
    *y.mutable_data() = 1;
    return sum(y);
  };
  CHECK_THROWS_WITH_AS(grad(f)(ones<Float32<"n">>(3)),
                       "tenon::Tensor: a recorded tensor cannot be written: set<axis>(x, i, v) "
                       "makes another",
                       Error);
  auto const g = [](auto const& x) {
    auto y = x;
    y(0) = 1;
    return sum(y);
  };
  CHECK_THROWS_AS(grad(g)(ones<Float32<"n">>(3)), Error);
}

}  // namespace

}  // namespace tensor_test
