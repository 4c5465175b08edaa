// The code that docs/errors.md shows.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

struct Scorer {
  Float32<"pixel=784 digit=10"> weight;

  auto operator()(Float<"batch pixel=784"> auto const& image) const {
    return eval(matmul(image, weight));
  }
  auto operator()(auto const& image) const -> AnnotationMistake<"batch pixel=784", decltype(image)>;
};

auto paired(Float<"n"> auto const& x, Float<"m"> auto const& y) {
  check<"n, 2*n">(x, y);  // compares run-time sizes: throws ShapeError
  return eval(sum(x) / sum(y));
}

template <class X>
concept Scored = requires(Scorer const& scorer, X const& x) { scorer(x); };

}  // namespace

TEST_CASE("a twin of a user's own function takes no call that fits") {
  static_assert(Scored<Float32<"batch pixel=784">>);
  static_assert(!Scored<Float32<"batch pixel=512">>);
  static_assert(!Scored<Float64<"batch">>);
  CHECK(Scorer()(ones<Float32<"batch pixel=784">>(2))(1, 9) == 0);
}

TEST_CASE("a function checks in its body what its annotation leaves open") {
  CHECK(paired(ones<Float32<"n">>(3), ones<Float32<"m">>(6)).item() == 0.5f);
  CHECK_THROWS_WITH_AS(paired(ones<Float32<"n">>(3), ones<Float32<"m">>(7)),
                       "tenon::check: '2*n': expected 6, got m=7 (axis 0 of argument 2; n=3)",
                       ShapeError);
}
