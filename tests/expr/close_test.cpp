#include <tenon/expr/create/like.hpp>
#include <tenon/expr/create/linspace.hpp>
#include <tenon/expr/map/close.hpp>

#include "counting.hpp"

namespace close_test {

namespace {

using namespace counting;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE_TEMPLATE("allclose has the tolerances of NumPy", D, Cpu, Reference) {
  Float64<"n", D> const a{1, 1 + 1e-6, 1e-9, infinity, -infinity, 1, nan, 1e10, 0};
  Float64<"n", D> const b{1, 1, 0, infinity, infinity, infinity, nan, 1.0001e10, -0.0};
  CHECK(elements(isclose(a, b)) == std::vector<double>{1, 1, 1, 1, 0, 0, 0, 0, 1});
  CHECK(elements(isclose(a, b, {.relative = 1e-3})) ==
        std::vector<double>{1, 1, 1, 1, 0, 0, 0, 1, 1});
  CHECK_FALSE(allclose(a, b));
  CHECK(allclose(a * 0.0 + 1.0, Float64<"1", D>{1}, {.relative = 0}) == false);  // inf * 0
  CHECK(allclose(zeros<Float64<"n", D>>(0), zeros<Float64<"n", D>>(0)));
}

template <class A, class B>
concept CanBeCompared = requires(A a, B b) { isclose(a, b); };
static_assert(CanBeCompared<Float32<"a b">, Float32<"b">>);
static_assert(!CanBeCompared<Float32<"a=2">, Float32<"a=3">>);
static_assert(!CanBeCompared<Int32<"a">, Int32<"a">>);

TEST_CASE_TEMPLATE("the _like functions take over dtype, axes and sizes", D, Cpu, Reference) {
  auto const x = counted<Float32<"a b=2", D>>(3);
  auto const zero = zeros_like(x * 2), one = ones_like(x), five = full_like(x, 5);
  static_assert(std::same_as<decltype(zero), Float32<"a b=2", D> const>);
  CHECK(elements(zero) == elements(eval(x * 0)));
  CHECK(elements(one) == elements(eval(x * 0 + 1)));
  CHECK(elements(five) == elements(eval(x * 0 + 5)));
  CHECK(ones_like(x > 1)(0, 0) == true);
}

TEST_CASE("linspace includes both ends") {
  CHECK(elements(linspace<Float64<"t">>(0, 1, 5)) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(elements(linspace<Float32<"3">>(2, -2)) == std::vector<double>{2, 0, -2});
  CHECK(elements(linspace<Float32<"1">>(7, 9)) == std::vector<double>{7});
  CHECK(linspace<Float32<"t">>(7, 9, 0).size() == 0);
  auto const x = linspace<Float32<"t">>(0.1, 0.9, 1001);
  CHECK(x(0) == 0.1f);
  CHECK(x(1000) == 0.9f);
}

}  // namespace

}  // namespace close_test
