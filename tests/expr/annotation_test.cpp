#include <tenon/expr/annotation.hpp>
#include <tenon/expr/checked.hpp>
#include <tenon/expr/shape_of.hpp>
#include <tenon/expr/view/rename.hpp>
#include <tenon/tensor/complex.hpp>

#include "counting.hpp"

namespace annotation_test {

using namespace tenon::internal;

namespace {

using namespace counting;

/// A user's function of one annotated argument.
std::string_view kind(Shaped<"..."> auto const&) { return "shaped"; }
std::string_view kind(Num<"..."> auto const&) { return "num"; }
std::string_view kind(Real<"..."> auto const&) { return "real"; }
std::string_view kind(Inexact<"..."> auto const&) { return "inexact"; }
std::string_view kind(Float<"..."> auto const&) { return "float"; }
std::string_view kind(Complex<"..."> auto const&) { return "complex"; }
std::string_view kind(Integer<"..."> auto const&) { return "integer"; }
std::string_view kind(Int<"..."> auto const&) { return "int"; }
std::string_view kind(UInt<"..."> auto const&) { return "uint"; }
std::string_view kind(Bool<"..."> auto const&) { return "bool"; }

TEST_CASE("the overload with the most constrained annotation is chosen") {
  CHECK(kind(Float32<"n">()) == "float");
  CHECK(kind(Float64<"3">()) == "float");
  CHECK(kind(BFloat16<"3">()) == "float");
  CHECK(kind(Complex64<"">()) == "complex");
  CHECK(kind(Int8<"n n">()) == "int");
  CHECK(kind(UInt64<"n n">()) == "uint");
  CHECK(kind(Mask<"n">()) == "bool");
  CHECK(kind(Float32<"n">() + 1) == "float");
  CHECK(kind(Float32<"n">() < 1) == "bool");
}

auto product =
    checked<"*batch c, c d -> *batch d">([](auto const& x, auto const& y) { return matmul(x, y); });

TEST_CASE_TEMPLATE("a checked function returns the result of the function", D, Cpu, Reference) {
  auto const x = counted<Float32<"image pixel", D>>(2, 3);
  auto const w = counted<Float32<"pixel=3 hidden=2", D>>();
  CHECK(spec(product(x, w)) == "image hidden=2");
  CHECK(elements(product(x, w)) == elements(matmul(x, w)));
  CHECK(elements(product(x + x, w)) == elements(matmul(x + x, w)));
  auto const sum = checked<"n, n">([](auto const& a, auto const& b) { return a + b; });
  CHECK(elements(sum(x(0, 0) + counted<Float32<"_", D>>(3), counted<Float32<"3", D>>())) ==
        std::vector<double>{0, 2, 4});
}

TEST_CASE("checked: run-time sizes are checked before the call") {
  int calls = 0;
  auto const counting = checked<"n, n">([&](auto const&, auto const&) { return ++calls; });
  CHECK(counting(counted<Float32<"a">>(3), counted<Float32<"_">>(3)) == 1);
  CHECK_THROWS_WITH_AS(counting(counted<Float32<"a">>(3), counted<Float32<"_">>(4)),
                       "tenon::checked: 'n': expected a=3, got 4 (axis 0 of argument 2; n=3)",
                       ShapeError);
  CHECK(calls == 1);
}

TEST_CASE("checked: the result is checked as well") {
  auto const grow = checked<"n -> n+1">([](auto const& x) {
    return zeros<Float32<"_">>(at(x.sizes(), 0) == 7 ? 9 : at(x.sizes(), 0) + 1);
  });
  CHECK(at(grow(counted<Float32<"a">>(3)).sizes(), 0) == 4);
  CHECK_THROWS_WITH_AS(grow(counted<Float32<"a">>(7)),
                       "tenon::checked: 'n+1': expected 8, got 9 (axis 0 of the result; n=7)",
                       ShapeError);
}

TEST_CASE("checked: sizes and bounds of a named axis") {
  auto const f = checked<"batch=1..4 3">([](auto const& x) { return size<"batch">(x); });
  CHECK(f(counted<Float32<"batch _">>(4, 3)) == 4);
  CHECK_THROWS_AS(f(counted<Float32<"batch _">>(5, 3)), ShapeError);
  CHECK_THROWS_AS(f(counted<Float32<"batch _">>(4, 2)), ShapeError);
}

template <class X, class Y>
  requires fits<"b n, n m", X, Y>
auto multiply(X const& x, Y const& y) {
  return matmul(x, rename<"row -> column">(y));
}

TEST_CASE_TEMPLATE("a binding over several arguments keeps the axis names of the caller", D, Cpu,
                   Reference) {
  auto const x = counted<Float32<"batch 3", D>>(2);
  auto const y = counted<Float32<"row=3 depth=2", D>>();
  CHECK(spec(multiply(x, y)) == "batch depth=2");
  CHECK(elements(multiply(x, y)) == std::vector<double>{10, 13, 28, 40});
}

}  // namespace

}  // namespace annotation_test
