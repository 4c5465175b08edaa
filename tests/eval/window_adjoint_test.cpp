#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <tenon/tenon.hpp>

/// The gradient of a convolution with respect to its operand, which is a convolution of the adjoint
/// with the reversed kernel, compared with the sums of the definition.
namespace window_adjoint_test {

using namespace tenon;

namespace {

using X = Float64<"batch channel height width">;
using W = Float64<"out channel height width">;

struct Numbers {
  std::int64_t images, channels, outputs, height, width, kernel_height, kernel_width;
};

template <class V>
V some(double seed, auto... sizes) {
  V v = zeros<V>(sizes...);
  for (std::int64_t i = 0; i < v.size(); ++i) v.mutable_data()[i] = std::sin(seed * double(i * i));
  return v;
}

/// Adds a factor times the kernel of output `o` to the elements of an image that the window at row
/// p and column q reads. What reads no element of the image is no term. (By pointers, as this is
/// not optimised.)
template <Sliding s>
void add_window(double* image, internal::Sizes const& size, W const& w, std::int64_t o,
                std::int64_t p, std::int64_t q, double factor) {
  internal::Sizes const kernel = w.sizes();
  double const* element = w.data() + o * kernel[1] * kernel[2] * kernel[3];
  for (std::int64_t c = 0; c < kernel[1]; ++c)
    for (std::int64_t k = 0; k < kernel[2]; ++k)
      for (std::int64_t l = 0; l < kernel[3]; ++l, ++element) {
        std::int64_t const row = p * s.stride + k * s.dilation - s.padding;
        std::int64_t const column = q * s.stride + l * s.dilation - s.padding;
        if (row >= 0 && column >= 0 && row < size[2] && column < size[3])
          image[(c * size[2] + row) * size[3] + column] += factor * *element;
      }
}

/// The adjoint of a sum of squares, element by element.
template <Sliding s>
X by_definition(X const& x, W const& w) {
  auto const y = eval(convolve<"height width", s>(x, w));
  internal::Sizes const size = x.sizes(), places = y.sizes();
  X result = zeros<X>(size[0], size[1], size[2], size[3]);
  double* image = result.mutable_data();
  double const* adjoint = y.data();
  for (std::int64_t n = 0; n < places[0]; ++n, image += size[1] * size[2] * size[3])
    for (std::int64_t o = 0; o < places[1]; ++o)
      for (std::int64_t p = 0; p < places[2]; ++p)
        for (std::int64_t q = 0; q < places[3]; ++q)
          add_window<s>(image, size, w, o, p, q, 2 * *adjoint++);
  return result;
}

template <Sliding s>
X by_gradient(X const& x, W const& w) {
  return grad([&](X const& v) { return sum(square(convolve<"height width", s>(v, w))); })(x);
}

void check_near(X const& x, X const& y) {
  REQUIRE(x.size() == y.size());
  double scale = 1;
  for (std::int64_t i = 0; i < y.size(); ++i)
    if (std::isfinite(y.data()[i])) scale = (std::max)(scale, std::abs(y.data()[i]));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    double const a = x.data()[i], b = y.data()[i];
    CHECK((std::isnan(a) == std::isnan(b) &&
           (std::isnan(a) || a == b || std::abs(a - b) <= 1e-13 * scale)));
  }
}

template <Sliding s>
void check(Numbers const& n) {
  auto const x = some<X>(1.3, n.images, n.channels, n.height, n.width);
  auto const w = some<W>(0.7, n.outputs, n.channels, n.kernel_height, n.kernel_width);
  X const expected = by_definition<s>(x, w);
  int const before = threads();
  for (int const number : {1, 3}) {
    set_threads(number);
    check_near(by_gradient<s>(x, w), expected);
  }
  set_threads(before);
}

TEST_CASE("the gradient of a convolution, for strides, dilations and paddings") {
  check<Sliding{1, 0, 1}>({2, 3, 4, 6, 7, 3, 2});
  check<Sliding{1, 2, 1}>({2, 3, 4, 6, 7, 5, 3});
  check<Sliding{2, 1, 1}>({2, 3, 4, 9, 8, 3, 3});
  check<Sliding{2, 1, 2}>({2, 3, 4, 9, 8, 3, 2});
  check<Sliding{3, 1, 2}>({2, 3, 4, 11, 13, 4, 5});
  check<Sliding{2, 3, 1}>({2, 3, 5, 20, 21, 7, 7});
  check<Sliding{4, 0, 1}>({2, 3, 4, 20, 21, 4, 4});
  check<Sliding{3, 0, 1}>({2, 3, 4, 20, 21, 4, 2});
  check<Sliding{5, 0, 1}>({1, 2, 3, 30, 26, 7, 9});
}

TEST_CASE("the gradient of a convolution whose contractions are large") {
  check<Sliding{1, 1, 1}>({3, 16, 20, 18, 19, 3, 3});
  check<Sliding{2, 2, 1}>({3, 12, 20, 18, 19, 5, 5});
  check<Sliding{2, 3, 2}>({3, 16, 20, 18, 19, 5, 5});
}

TEST_CASE("the gradient of a convolution with axes of size 1, and with none") {
  check<Sliding{1, 0, 1}>({1, 1, 1, 1, 1, 1, 1});
  check<Sliding{1, 1, 1}>({1, 1, 1, 1, 3, 3, 3});
  check<Sliding{1, 0, 1}>({2, 3, 4, 6, 7, 6, 7});
  check<Sliding{1, 1, 1}>({0, 3, 4, 6, 7, 3, 3});
  check<Sliding{1, 1, 1}>({2, 3, 0, 6, 7, 3, 3});
}

TEST_CASE("NaN and infinity reach the elements of the definition") {
  for (double const odd :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    auto x = some<X>(1.3, 2, 3, 8, 9);
    auto w = some<W>(0.7, 4, 3, 3, 3);
    x(1, 2, 4, 4) = odd;
    check_near(by_gradient<Sliding{1, 1, 1}>(x, w), by_definition<Sliding{1, 1, 1}>(x, w));
    x(1, 2, 4, 4) = 1;
    w(2, 1, 0, 2) = odd;
    check_near(by_gradient<Sliding{1, 0, 1}>(x, w), by_definition<Sliding{1, 0, 1}>(x, w));
    check_near(by_gradient<Sliding{2, 0, 1}>(x, w), by_definition<Sliding{2, 0, 1}>(x, w));
  }
}

TEST_CASE("gradients add up where an image is an operand twice") {
  auto const x = some<X>(1.3, 2, 3, 8, 9);
  auto const w = some<W>(0.7, 4, 3, 3, 3);
  auto const twice = grad([&](X const& v) {
    return sum(square(convolve<"height width">(v, w))) +
           sum(square(convolve<"height width">(v, w)));
  })(x);
  check_near(eval(0.5 * twice), by_definition<Sliding{}>(x, w));
}

}  // namespace

}  // namespace window_adjoint_test
