#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace tree_annotation_test {

using namespace tenon;

namespace {

struct Layer {
  Float32<"n m=3"> weight;
  Float32<"m=3"> bias;
};
struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
struct Named {
  Float32<"n=3"> a;
  Float32<"n=5"> b;
};
struct Mixed {
  Float32<"3"> a;
  Frozen<Int32<"5">> ids;
  int count = 0;
};
struct Nested {
  std::vector<Layer> layers;
  std::array<Vectors, 2> pairs;
  std::optional<Float32<"k">> last;
};
class Hidden {
  [[maybe_unused]] float value_ = 1;
};
struct WithHidden {
  Float32<"3"> a;
  Hidden b;
};

template <class X, class Y>
concept OneStructure = tree::fits<"..., ...", X, Y>;

}  // namespace

// One tree: all tensors fit one annotation.
static_assert(tree::Float<Vectors, "?n"> && !tree::Float<Vectors, "n">);
static_assert(tree::Float<Vectors, "_"> && tree::Float<Vectors, "..."> &&
              tree::Float<Vectors, "*?n">);
static_assert(!tree::Float<Vectors, "?n m"> && !tree::Float<Vectors, "">);
static_assert(tree::Float<Named, "?n"> && !tree::Float<Named, "n"> && !tree::Float<Named, "?m">);
static_assert(tree::Float<std::array<Float32<"3">, 2>, "n">);
static_assert(tree::Float<std::tuple<Float32<"2 3">, Float32<"4 3">>, "?n m">);
static_assert(!tree::Float<std::tuple<Float32<"2 3">, Float32<"4 4">>, "?n m">);
static_assert(tree::Float<std::tuple<Float32<"3 3">, Float32<"4 4">>, "?n ?n">);
static_assert(!tree::Float<std::tuple<Float32<"3 3">, Float32<"4 5">>, "?n ?n">);
static_assert(tree::Float<std::tuple<Float32<"3 4">, Float32<"4 5">>, "?n n+1">);
static_assert(!tree::Float<std::tuple<Float32<"3 4">, Float32<"4 4">>, "?n n+1">);
static_assert(tree::Float<std::tuple<Float32<"2 3">, Float32<"3">>, "*?b m">);
static_assert(tree::Float<Float32<"3">, "n"> && !tree::Float<Float32<"3">, "n m">);
static_assert(tree::Float<Nested, "...">);
static_assert(!tree::Float<std::vector<Layer>, "*n m"> && tree::Float<std::vector<Layer>, "*?n m">);

// Dtypes.
static_assert(tree::Shaped<Mixed, "?n"> && !tree::Float<Mixed, "?n">);
static_assert(!tree::Integer<Mixed, "?n"> && tree::Integer<std::vector<Int32<"3">>, "n">);
static_assert(tree::Inexact<std::tuple<Complex64<"3">, Float32<"3">>, "n">);
static_assert(!tree::Float<std::tuple<Complex64<"3">, Float32<"3">>, "n">);
static_assert(tree::Bool<std::optional<Mask<"3">>, "n"> && !tree::Bool<Vectors, "?n">);

// What is no tree, or has no tensor, fits nothing.
static_assert(!tree::Shaped<int, "..."> && !tree::Shaped<std::vector<int>, "...">);
static_assert(!tree::Shaped<WithHidden, "...">);
static_assert(!tree::Shaped<decltype(Float32<"3">() + 1), "...">);

// Several trees of one structure.
static_assert(tree::fits<"?n, ?n", Vectors, Vectors>);
static_assert(tree::fits<"?n, ?n", Vectors, std::tuple<Float32<"3">, Float32<"5">>>);
static_assert(!tree::fits<"?n, ?n", Vectors, std::tuple<Float32<"5">, Float32<"3">>>);
static_assert(tree::fits<"?n, ?m", Vectors, std::tuple<Float32<"5">, Float32<"3">>>);
static_assert(!tree::fits<"?n, ?n", Vectors, std::tuple<Float32<"3">>>);
static_assert(!tree::fits<"?n, ?n", Vectors, Float32<"3">>);
static_assert(tree::fits<"?n, ?n k", Vectors, std::tuple<Float32<"3 2">, Float32<"5 2">>>);
static_assert(!tree::fits<"?n, ?n k", Vectors, std::tuple<Float32<"3 2">, Float32<"5 4">>>);
static_assert(tree::fits<"?n, n+1", Vectors, std::tuple<Float32<"4">, Float32<"6">>> &&
              !tree::fits<"?n, n+1", Vectors, std::tuple<Float32<"4">, Float32<"7">>>);
static_assert(tree::fits<"*?n, *?n", std::tuple<Float32<"2 3">, Float32<"4">>,
                         std::tuple<Float32<"2 3">, Float32<"4">>>);
static_assert(!tree::fits<"*?n, *?n", std::tuple<Float32<"2 3">, Float32<"4">>,
                          std::tuple<Float32<"4">, Float32<"2 3">>>);
static_assert(tree::fits<"?n -> ?n", Vectors> && tree::fits<"?n -> ?n", Vectors, Vectors>);
static_assert(OneStructure<Nested, Nested> && !OneStructure<Nested, Vectors>);
static_assert(OneStructure<Vectors, Mixed> == false);

auto doubled(tree::Float<"?n"> auto const& model) {
  return tree::map([](auto const& leaf) { return eval(leaf * 2); }, model);
}

template <class X, class Y>
  requires tree::fits<"?n, ?n", X, Y>
X sums(X const& x, Y const& y) {
  return tree::map([](auto const& a, auto const& b) { return eval(a + b); }, x, y);
}

TEST_CASE("functions are constrained by annotations of trees") {
  Vectors const ones{tenon::ones<Float32<"3">>(), tenon::ones<Float32<"5">>()};
  CHECK(doubled(ones).b(4) == 2);
  CHECK(sums(ones, std::tuple(ones.a, ones.b)).a(2) == 2);
}

TEST_CASE("run-time sizes of trees are checked leaf by leaf") {
  std::vector<Float32<"n">> const x{{1, 2}, {1, 2, 3}}, y{{3, 4}, {3, 4, 5}};
  CHECK_NOTHROW(tree::check<"?n, ?n">(x, y));
  CHECK_NOTHROW(tree::check<"?n">(x));
  CHECK_THROWS_WITH_AS((tree::check<"n">(x)),
                       "tenon::tree::check: 'n': expected n=2, got n=3 (axis 0 of '1' of argument "
                       "1; n=2)",
                       ShapeError);
  CHECK_THROWS_WITH_AS((tree::check<"?n, ?n">(x, std::vector{y[1], y[0]})),
                       "tenon::tree::check: '?n': expected n=2, got n=3 (axis 0 of '0' of argument "
                       "2; n=2)",
                       ShapeError);
  CHECK_THROWS_WITH_AS((tree::check<"?n, n+1">(x, y)),
                       "tenon::tree::check: 'n+1': expected 3, got n=2 (axis 0 of '0' of argument "
                       "2; n=2)",
                       ShapeError);
}

TEST_CASE("a word is one size in all leaves, '?' one of each") {
  std::vector<Layer> const layers{{ones<Float32<"n m=3">>(2), {1, 2, 3}},
                                  {ones<Float32<"n m=3">>(4), {1, 2, 3}}};
  CHECK_NOTHROW(tree::check<"*?n m">(layers));
  CHECK_NOTHROW(tree::check<"*?n m, *?n m">(layers, layers));
  std::vector<Float32<"n m">> const matrices{ones<Float32<"n m">>(2, 3),
                                             ones<Float32<"n m">>(4, 3)};
  CHECK_THROWS_WITH_AS((tree::check<"*n m">(matrices)),
                       "tenon::tree::check: '*n': expected n=2, got n=4 (axis 0 of '1' of argument "
                       "1; m=3, *n=(2))",
                       ShapeError);
}

TEST_CASE("trees of different numbers of elements have different structures") {
  std::vector<Float32<"n">> const two{{1}, {2}}, one{{1}};
  CHECK_THROWS_WITH_AS((tree::check<"n, n">(two, one)), "tenon::tree: expected 2 elements, got 1",
                       ShapeError);
  std::optional<Float32<"n">> const none, some{Float32<"n">{1}};
  CHECK_THROWS_AS((tree::check<"n, n">(none, some)), ShapeError);
  CHECK_NOTHROW(tree::check<"n, n">(none, none));
}

}  // namespace tree_annotation_test
