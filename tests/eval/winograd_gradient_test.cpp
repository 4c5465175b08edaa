#include <doctest/doctest.h>

#include <cmath>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

/// Gradients of convolutions by Winograd's algorithm, which computes the adjoint of the operand
/// too, compared with those without the permission.
namespace winograd_gradient_test {

using namespace tenon;

namespace {

using Images = Float64<"batch channel height width">;
using ImagesLast = Float64<"batch height width channel">;
using Kernels = Float64<"out channel height width">;

template <class X>
X some(double seed, auto... sizes) {
  X x = zeros<X>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i) x.mutable_data()[i] = std::sin(seed * double(i * i));
  return x;
}

/// The largest difference in relation to the largest element.
template <class X>
double difference(X const& x, X const& y) {
  CHECK(x.sizes() == y.sizes());
  double apart = 0, most = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    apart = std::fmax(apart, std::fabs(x.data()[i] - y.data()[i]));
    most = std::fmax(most, std::fabs(y.data()[i]));
  }
  return apart / most;
}

/// Of numbers up to 1, 400 terms have a sum of absolute values of some ten times the largest sum;
/// its error is within 64 units of 1.1e-16 (docs/numerics.md).
constexpr double bound = 1e-13;

/// Images and kernels, or their gradients.
template <class X>
struct Operands {
  X x;
  Kernels w;
};

template <std::int64_t padding, bool allows>
struct Convolve {
  auto operator()(auto const& x, auto const& w) const {
    return convolve<"height width", Sliding{.padding = padding, .allow_winograd = allows}>(x, w);
  }
};

/// Compares the gradients of `loss(convolve, operands)`; `differs`: whether that of the images is
/// by Winograd's algorithm.
template <std::int64_t padding, class X, class F>
void check_gradients(X const& x, Kernels const& w, F const& loss, bool differs = true) {
  Operands<X> const at{x, w};
  auto const fast = grad([&](Operands<X> const& v) { return loss(Convolve<padding, true>{}, v); });
  auto const direct =
      grad([&](Operands<X> const& v) { return loss(Convolve<padding, false>{}, v); });
  auto const got = fast(at), expected = direct(at);
  double const apart = difference(got.x, expected.x);
  CHECK((apart > 0) == differs);
  CHECK(apart < bound);
  CHECK(difference(got.w, expected.w) < bound);
}

constexpr auto of_squares = [](auto const& f, auto const& v) { return sum(square(f(v.x, v.w))); };

TEST_CASE("the gradients of a convolution by Winograd's algorithm are those of the sums") {
  Kernels const w = some<Kernels>(0.7, 34, 40, 3, 3);
  Images const x = some<Images>(1.3, 2, 40, 19, 18);
  SUBCASE("without padding") { check_gradients<0>(x, w, of_squares); }
  SUBCASE("with a padding of 1") { check_gradients<1>(x, w, of_squares); }
  SUBCASE("with a padding of 2") { check_gradients<2>(x, w, of_squares); }
  SUBCASE("channels last") {
    check_gradients<1>(some<ImagesLast>(1.3, 2, 19, 18, 40), w, of_squares);
  }
  SUBCASE("added to another one") {
    check_gradients<1>(x, w, [](auto const& f, auto const& v) {
      return sum(square(v.x)) + sum(square(f(v.x, v.w))) + sum(f(v.x, eval(2.0 * v.w)));
    });
  }
}

TEST_CASE("a derivative of a derivative is computed by the sums") {
  Kernels const w = some<Kernels>(0.7, 32, 34, 3, 3);
  Images const x = some<Images>(1.3, 2, 34, 17, 16);
  auto const loss = [](auto const& f, auto const& v) {
    auto const slope = grad([&](Images const& at) { return sum(square(square(f(at, v.w)))); })(v.x);
    return sum(square(slope));
  };
  check_gradients<1>(x, w, loss, false);
}

}  // namespace

}  // namespace winograd_gradient_test
