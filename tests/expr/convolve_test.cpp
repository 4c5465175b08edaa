#include <doctest/doctest.h>

#include <cmath>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

namespace convolve_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

template <class D = Cpu>
using Images = Tensor<double, "batch channel height width", D>;
template <class D = Cpu>
using Kernel = Tensor<double, "out channel=3 height=3 width=2", D>;

template <class X>
X some(double seed, auto... sizes) {
  X x = zeros<X>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<typename X::value_type>(std::sin(seed * double(i * i)));
  return x;
}

/// One element of a convolution of images, by the definition.
template <class X, class W>
double sum_at(X const& x, W const& w, Sliding s, ElementIndex const& at) {
  double sum = 0;
  for (std::int64_t c = 0; c < w.sizes()[1]; ++c) {
    for (std::int64_t i = 0; i < w.sizes()[2] * w.sizes()[3]; ++i) {
      std::int64_t const k = i / w.sizes()[3], l = i % w.sizes()[3];
      std::int64_t const row = at[2] * s.stride + k * s.dilation - s.padding;
      std::int64_t const column = at[3] * s.stride + l * s.dilation - s.padding;
      bool const inside = row >= 0 && row < x.sizes()[2] && column >= 0 && column < x.sizes()[3];
      if (inside) sum += double(x(at[0], c, row, column)) * double(w(at[1], c, k, l));
    }
  }
  return sum;
}

template <Sliding sliding, class D = Cpu>
void check_values(std::int64_t height, std::int64_t width) {
  auto const x = some<Images<D>>(1.3, 2, 3, height, width);
  auto const w = some<Kernel<D>>(0.7, 4);
  auto const y = eval(convolve<"height width", sliding>(x, w));
  CHECK(y.sizes()[2] == sliding.places(height, 3));
  CHECK(y.sizes()[3] == sliding.places(width, 2));
  for (std::int64_t n = 0; n < y.size(); ++n) {
    auto const& s = y.sizes();
    ElementIndex const at{n / (s[1] * s[2] * s[3]), n / (s[2] * s[3]) % s[1], n / s[3] % s[2],
                          n % s[3]};
    CHECK(y.data()[n] == doctest::Approx(sum_at(x, w, sliding, at)).epsilon(1e-12));
  }
}

template <class X, class W>
using Shaped = decltype(convolve<"height width">(std::declval<X>(), std::declval<W>()));
using Photo = Float32<"batch channel height=28 width=28">;
using Filters = Float32<"out=8 channel=3 height=5 width=5">;
static_assert(shape_of<Shaped<Photo, Filters>> == "batch out=8 height=24 width=24");
static_assert(shape_of<Shaped<Float32<"height width channel=3">, Filters>> ==
              "height=height-4 width=width-4 out=8");
static_assert(shape_of<decltype(convolve<"height width", Sliding{.padding = 2}>(
                  std::declval<Photo>(), std::declval<Filters>()))> ==
              "batch out=8 height=28 width=28");
static_assert(shape_of<decltype(convolve<"t", Sliding{.stride = 2}>(
                  std::declval<Float32<"batch t">>(), std::declval<Float32<"filter t=3">>()))> ==
              "batch filter t=(t-1)//2");

TEST_CASE("a convolution is the sum over its windows") {
  check_values<Sliding{}>(5, 7);
  check_values<Sliding{}, Reference>(3, 2);
  check_values<Sliding{.padding = 1}>(4, 3);
  check_values<Sliding{.stride = 2, .padding = 2, .dilation = 2}>(9, 6);
}

TEST_CASE("a kernel of run-time length along one axis given by number") {
  Float32<"t"> const x{1, 2, 4, 8, 16};
  CHECK(to_string(convolve<-1>(x, ones<Float32<"length">>(2))) == "[ 3.  6. 12. 24.]");
  CHECK(to_string(convolve<"t">(x, Float32<"filter=2 t=2">{{1, 0}, {-1, 1}})) ==
        "[[1. 2. 4. 8.]\n [1. 2. 4. 8.]]");
  CHECK_THROWS_WITH_AS(eval(convolve<-1>(x, ones<Float32<"length">>(6))),
                       doctest::Contains("tenon::convolve: 't'"), IndexError);
  CHECK_THROWS_AS(eval(convolve<-1>(x, zeros<Float32<"length">>(0))), IndexError);
  CHECK_THROWS_AS(eval(convolve<"height width">(some<Images<>>(1, 1, 2, 3, 3), Kernel<>())),
                  ShapeError);
}

TEST_CASE("a convolution of an empty batch is empty") {
  auto const y = eval(convolve<"height width">(zeros<Images<>>(0, 3, 4, 4), zeros<Kernel<>>(2)));
  CHECK(describe_tensor(y) == "float64 \"batch=0 out=2 height=2 width=3\"");
}

TEST_CASE("bias and activation are fused into the convolution") {
  auto const x = some<Float32<"batch channel height=60 width=60">>(1.3, 2, 3);  // several blocks
  auto const w = some<Filters>(0.7);
  auto const bias = some<Float32<"out=8">>(2);
  auto const separate = eval(relu(eval(convolve<"height width">(x, w)) + bias));
  CHECK(to_string(relu(convolve<"height width">(x, w) + bias)) == to_string(separate));
}

TEST_CASE("a convolution has gradients with respect to both operands") {
  auto const x = some<Images<>>(1.3, 2, 3, 5, 4);
  auto const w = some<Kernel<>>(0.7, 2);
  auto const loss = [](Images<> const& images, Kernel<> const& kernel) {
    constexpr Sliding sliding{.stride = 2, .padding = 1};
    return sum(square(convolve<"height width", sliding>(images, kernel)));
  };
  auto const of_images = [&](Images<> const& v) { return loss(v, w); };
  CHECK_GRADIENT(of_images, x);
  CHECK(grad(of_images)(zeros<Images<>>(0, 3, 5, 4)).size() == 0);
  CHECK_GRADIENT([&](Kernel<> const& v) { return loss(x, v); }, w);
}

TEST_CASE("a convolution has second derivatives") {
  Float64<"t"> const x{1, 2, 3, 4};
  auto const cubes = [](auto const& v) {
    return sum(convolve<"t">(v * v * v, Float64<"t=2">{1, 2}));
  };
  auto const twice = grad([&](auto const& v) { return sum(grad(cubes)(v)); })(x);
  CHECK(to_string(twice) == "[ 6. 36. 54. 48.]");  // 6 x times 1, 3, 3, 2
}

}  // namespace

}  // namespace convolve_test
