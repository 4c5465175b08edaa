#include <doctest/doctest.h>

#include <cmath>

#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

/// Depthwise convolutions, as sums over windows of each channel, and strided convolutions, with
/// their gradients.
namespace depthwise_test {

using namespace tenon;

namespace {

using Images = Float64<"batch channel height width">;
using Kernels = Float64<"channel 3 2">;
using ImagesLast = Float64<"batch height width channel">;
using KernelsLast = Float64<"3 2 channel">;
using Filters = Float64<"out channel height width">;

template <class X>
X some(double seed, auto... sizes) {
  X x = zeros<X>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i) x.mutable_data()[i] = std::sin(seed * double(i * i));
  return x;
}

auto first(Images const& x, Kernels const& w) {
  auto const rows = window<"height", 3>(x);
  return einsum<"b c h w i j, c i j -> b c h w">(window<"width", 2>(rows), w);
}
auto last(ImagesLast const& x, KernelsLast const& w) {
  auto const rows = window<"height", 3>(x);
  return einsum<"b h w c i j, i j c -> b h w c">(window<"width", 2>(rows), w);
}

TEST_CASE("a depthwise convolution is the sum over the windows of each channel") {
  for (std::int64_t width : {2, 9, 40}) {
    auto const x = some<Images>(1.3, 2, 3, 5, width);
    auto const w = some<Kernels>(0.7, 3);
    auto const y = eval(first(x, w));
    ImagesLast const x_last =
        rearrange<"batch channel height width -> batch height width channel">(x);
    KernelsLast w_last = zeros<KernelsLast>(3);
    for (std::int64_t i = 0; i < w.size(); ++i)
      w_last.mutable_data()[i % 6 * 3 + i / 6] = w.data()[i];
    auto const y_last = eval(last(x_last, w_last));
    for (std::int64_t i = 0; i < y.size(); ++i) {
      std::int64_t const places = width - 1, k = i % places, h = i / places % 3,
                         c = i / places / 3 % 3, b = i / places / 9;
      double sum = 0;
      for (std::int64_t t = 0; t < 6; ++t)
        sum += x(b, c, h + t / 2, k + t % 2) * w(c, t / 2, t % 2);
      CHECK(y(b, c, h, k) == doctest::Approx(sum).epsilon(1e-12));
      CHECK(y_last(b, h, k, c) == doctest::Approx(sum).epsilon(1e-12));
    }
  }
  CHECK(eval(first(zeros<Images>(0, 3, 5, 4), zeros<Kernels>(3))).size() == 0);
}

TEST_CASE("bias and activation may follow a depthwise convolution") {
  auto const x = some<Images>(1.3, 2, 3, 6, 11);
  auto const w = some<Kernels>(0.7, 3);
  auto const separate = eval(relu(eval(first(x, w)) + 0.5));
  CHECK(to_string(relu(first(x, w) + 0.5)) == to_string(separate));
}

TEST_CASE("a depthwise convolution has gradients with respect to both operands") {
  auto const x = some<Images>(1.3, 2, 3, 5, 6);
  auto const w = some<Kernels>(0.7, 3);
  CHECK_GRADIENT([&](Images const& v) { return sum(square(first(v, w))); }, x);
  CHECK_GRADIENT([&](Kernels const& v) { return sum(square(first(x, v))); }, w);
  auto const x_last = some<ImagesLast>(1.3, 2, 5, 4, 3);
  auto const w_last = some<KernelsLast>(0.7, 3);
  CHECK_GRADIENT([&](ImagesLast const& v) { return sum(square(last(v, w_last))); }, x_last);
  CHECK_GRADIENT([&](KernelsLast const& v) { return sum(square(last(x_last, v))); }, w_last);
}

/// The gradients of a convolution, for a kernel of this size.
template <Sliding sliding>
void check_gradients(std::int64_t height, std::int64_t width) {
  auto const x = some<Images>(1.3, 2, 2, 7, 9);
  auto const w = some<Filters>(0.7, 3, 2, height, width);
  auto const loss = [](Images const& images, Filters const& filters) {
    return sum(square(convolve<"height width", sliding>(images, filters)));
  };
  CHECK_GRADIENT([&](Images const& v) { return loss(v, w); }, x);
  CHECK_GRADIENT([&](Filters const& v) { return loss(x, v); }, w);
}

TEST_CASE("strided convolutions have gradients with respect to both operands") {
  check_gradients<Sliding{.stride = 2, .padding = 1}>(3, 3);
  check_gradients<Sliding{.stride = 2}>(5, 2);
  check_gradients<Sliding{.stride = 3, .padding = 2}>(4, 5);
  check_gradients<Sliding{.stride = 3, .dilation = 2}>(3, 4);
}

}  // namespace

}  // namespace depthwise_test
