#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <tenon/nn/conv.hpp>
#include <tenon/tenon.hpp>

/// Convolutions of 3 x 3 by Winograd's algorithm, compared with the sums of the definition in
/// double, and with the same convolutions without the permission.
namespace winograd_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

using Images = Float32<"batch channel height width">;
using ImagesLast = Float32<"batch height width channel">;
using Kernels = Float32<"out channel height width">;

constexpr Sliding direct{.padding = 1}, fast{.padding = 1, .allow_winograd = true};

template <Sliding sliding>
constexpr auto by =
    [](auto const& x, auto const& w) { return eval(convolve<"height width", sliding>(x, w)); };

template <class X>
X some(double seed, auto... sizes) {
  X x = zeros<X>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<typename X::value_type>(std::sin(seed * double(i * i)));
  return x;
}

/// The largest difference, in units of the rounding of `T`.
template <class T, class X>
double difference(X const& x, X const& y) {
  CHECK(x.sizes() == y.sizes());
  double most = 0;
  for (std::int64_t i = 0; i < x.size(); ++i)
    most = std::fmax(most, std::fabs(double(x.data()[i]) - double(y.data()[i])));
  return most / (std::numeric_limits<T>::epsilon() / 2);
}

template <class X>
bool same(X const& x, X const& y) {
  auto const bytes = static_cast<std::size_t>(x.size()) * sizeof(typename X::value_type);
  return x.sizes() == y.sizes() && std::memcmp(x.data(), y.data(), bytes) == 0;
}

/// docs/numerics.md: the largest error was 45 units of the sums of the products of absolute values,
/// which are at most `terms` here.
constexpr double bound(std::int64_t terms) { return 64 * double(terms); }

/// The value of a convolution by Winograd's algorithm, whatever its sizes.
template <class Product>
auto by_winograd(Product const& product) {
  using T = typename Product::value_type;
  using Result = decltype(eval(product));
  auto const a = elements_of_operand<CpuBackend>(operand_at<0>(product));
  auto const b = elements_of_operand<CpuBackend>(operand_at<1>(product));
  WinogradProduct const labels(labels_of(node_of(product), a.strides(), b.strides()));
  REQUIRE(labels.applies);
  Result result = Result::uninitialised(product.sizes());
  CpuBackend::multiply_winograd<T>(
      *plan_of(labels, a.data(), b.data(), result.mutable_data(), false));
  return result;
}

struct Numbers {
  std::int64_t images, channels, outputs, height, width;
};

template <class X>
X images_of(Numbers const& n) {
  if constexpr (X::shape == ImagesLast::shape)
    return some<X>(1.3, n.images, n.height, n.width, n.channels);
  else return some<X>(1.3, n.images, n.channels, n.height, n.width);
}

template <std::int64_t padding, class X>
void check_values(Numbers const& n) {
  using T = typename X::value_type;
  using K = Tensor<T, "out channel height width">;
  constexpr Sliding sliding{.padding = padding, .allow_winograd = true};
  if (n.height + 2 * padding < 3 || n.width + 2 * padding < 3) return;
  CAPTURE(n.height);
  CAPTURE(n.width);
  X const x = images_of<X>(n);
  K const w = some<K>(0.7, n.outputs, n.channels, 3, 3);
  auto const y = by_winograd(convolve<"height width", sliding>(x, w));
  auto const sums = by<Sliding{.padding = padding}>(to<double>(x), to<double>(w));
  CHECK(difference<T>(eval(to<double>(y)), eval(sums)) <= bound(9 * n.channels));
}

/// All heights and widths from 1 to 9, and 13, with some numbers of channels.
template <class X>
void check_all_values() {
  constexpr std::int64_t some_channels[] = {1, 3, 8, 17}, some_outputs[] = {3, 17, 1, 8, 5};
  for (std::int64_t const height : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13}) {
    for (std::int64_t const width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13}) {
      Numbers const n{1 + (height + width) % 3, some_channels[(height + 2 * width) % 4],
                      some_outputs[(height + width) % 5], height, width};
      check_values<0, X>(n);
      check_values<1, X>(n);
      check_values<2, X>(n);
    }
  }
}

TEST_CASE("Winograd's algorithm computes the sums of the definition") {
  SUBCASE("channels first") { check_all_values<Images>(); }
  SUBCASE("channels last") { check_all_values<ImagesLast>(); }
  SUBCASE("in double") { check_all_values<Float64<"batch channel height width">>(); }
}

/// The same elements, and others than without the permission.
template <class X, class W>
void check_close(X const& x, W const& w, std::int64_t terms) {
  auto const y = by<fast>(x, w), sums = by<direct>(x, w);
  double const apart = difference<typename X::value_type>(y, sums);
  CHECK(apart > 0);
  CHECK(apart <= 2 * bound(terms));
}

TEST_CASE("a permitted convolution of 3 x 3 is computed by Winograd's algorithm") {
  Kernels const w = some<Kernels>(0.7, 32, 40, 3, 3);
  SUBCASE("of run-time sizes") { check_close(some<Images>(1.3, 2, 40, 21, 18), w, 9 * 40); }
  SUBCASE("of static sizes") {
    check_close(some<Float32<"batch=2 channel=40 height=21 width=18">>(1.3),
                some<Float32<"out=32 channel=40 height=3 width=3">>(0.7), 9 * 40);
  }
  SUBCASE("channels last") { check_close(some<ImagesLast>(1.3, 2, 21, 18, 40), w, 9 * 40); }
  SUBCASE("with another order of axes") {
    auto const across = some<Float32<"width channel batch height">>(1.3, 18, 40, 2, 21);
    auto const turned = some<Float32<"height width channel out">>(0.7, 3, 3, 40, 32);
    check_close(across, turned, 9 * 40);
    check_close(transpose(across), w, 9 * 40);
  }
  SUBCASE("of double") {
    check_close(some<Float64<"batch channel height width">>(1.3, 2, 40, 21, 18),
                eval(to<double>(w)), 9 * 40);
  }
  SUBCASE("of many channels of few tiles") {
    check_close(some<Images>(1.3, 9, 16, 7, 7), some<Kernels>(0.7, 300, 16, 3, 3), 9 * 16);
  }
}

TEST_CASE("the bits of Winograd's algorithm do not depend on the number of threads") {
  Images const x = some<Images>(1.3, 3, 36, 30, 21);
  Kernels const w = some<Kernels>(0.7, 260, 36, 3, 3);
  set_threads(1);
  auto const alone = by<fast>(x, w);
  set_threads(4);
  CHECK(same(by<fast>(x, w), alone));
  set_threads(1);
}

/// The same bits with and without the permission.
template <Sliding sliding, class X, class W>
void check_same(X const& x, W const& w) {
  Sliding constexpr without{sliding.stride, sliding.padding, sliding.dilation};
  CHECK(same(by<sliding>(x, w), by<without>(x, w)));
}

template <Sliding sliding>
constexpr bool permits = decltype(convolve<"height width", sliding>(
    std::declval<Images>(),
    std::declval<Float32<"out channel height=3 width=3">>()))::contraction.allow_winograd;
static_assert(permits<fast> && !permits<direct>);
static_assert(!permits<Sliding{.stride = 2, .allow_winograd = true}>);
static_assert(!permits<Sliding{.dilation = 2, .allow_winograd = true}>);

TEST_CASE("the permission has no effect on other convolutions") {
  Images const x = some<Images>(1.3, 2, 40, 21, 18);
  SUBCASE("of other strides") {
    Kernels const w = some<Kernels>(0.7, 32, 40, 3, 3);
    check_same<Sliding{.stride = 2, .padding = 1, .allow_winograd = true}>(x, w);
    check_same<Sliding{.dilation = 2, .allow_winograd = true}>(x, w);
    check_same<Sliding{.stride = 2, .dilation = 2, .allow_winograd = true}>(x, w);
  }
  SUBCASE("of other kernels") {
    check_same<fast>(x, some<Kernels>(0.7, 32, 40, 5, 5));
    check_same<fast>(x, some<Kernels>(0.7, 32, 40, 3, 2));
    check_same<fast>(x, some<Kernels>(0.7, 32, 40, 1, 1));
  }
  SUBCASE("of few channels, few outputs and few tiles") {
    check_same<fast>(some<Images>(1.3, 2, 15, 21, 18), some<Kernels>(0.7, 70, 15, 3, 3));
    check_same<fast>(x, some<Kernels>(0.7, 15, 40, 3, 3));
    check_same<fast>(some<Images>(1.3, 31, 40, 4, 4), some<Kernels>(0.7, 32, 40, 3, 3));
  }
  SUBCASE("of an empty batch") {
    Kernels const w = some<Kernels>(0.7, 32, 40, 3, 3);
    CHECK(by<fast>(zeros<Images>(0, 40, 8, 8), w).size() == 0);
  }
  SUBCASE("on other devices") {
    using Far = Tensor<float, "batch channel height width", Reference>;
    using FarKernels = Tensor<float, "out channel height width", Reference>;
    check_same<fast>(some<Far>(1.3, 2, 33, 16, 18), some<FarKernels>(0.7, 32, 33, 3, 3));
  }
  SUBCASE("of other dtypes") {
    check_same<fast>(eval(to<bfloat16>(x)), eval(to<bfloat16>(some<Kernels>(0.7, 32, 40, 3, 3))));
  }
}

TEST_CASE("a layer permits Winograd's algorithm by its options") {
  using Layer = Conv2d<"channel=32", "feature=32", 3, ConvOptions{.padding = 1}>;
  using Fast =
      Conv2d<"channel=32", "feature=32", 3, ConvOptions{.padding = 1, .allow_winograd = true}>;
  Images const x = some<Images>(1.3, 2, 32, 21, 18);
  Layer const layer{some<decltype(Layer::weight)>(0.7), some<decltype(Layer::bias)>(0.3)};
  Fast const fast_layer{layer.weight, layer.bias};
  double const apart = difference<float>(eval(relu(fast_layer(x))), eval(relu(layer(x))));
  CHECK(apart > 0);
  CHECK(apart <= 2 * bound(9 * 32));
  constexpr ConvOptions parts{.groups = 2, .bias = false};
  constexpr ConvOptions fast_parts{.groups = 2, .bias = false, .allow_winograd = true};
  using Two = Conv2d<"channel=32", "feature=64", 3, parts>;
  using FastTwo = Conv2d<"channel=32", "feature=64", 3, fast_parts>;
  Two const two{some<decltype(Two::weight)>(0.7), {}};
  CHECK(same(eval(FastTwo{two.weight, {}}(x)), eval(two(x))));
}

TEST_CASE("a reduction reads the same elements as the whole result") {
  Images const x = some<Images>(1.3, 2, 40, 21, 18);
  Kernels const w = some<Kernels>(0.7, 32, 40, 3, 3);
  auto const y = by<fast>(x, w);
  CHECK(same(eval(sum<"width">(convolve<"height width", fast>(x, w))), eval(sum<"width">(y))));
}

TEST_CASE("an infinity or a huge element makes those of its tile NaN or infinite, and no others") {
  Kernels const w = some<Kernels>(0.7, 32, 40, 3, 3);
  auto const before = by<fast>(some<Images>(1.3, 2, 40, 20, 20), w);
  for (float const huge : {std::numeric_limits<float>::infinity(), -3e38f}) {
    Images x = some<Images>(1.3, 2, 40, 20, 20);
    x.mutable_data()[0] = huge;
    auto const y = by<fast>(x, w);
    bool same = true, spreads = true;
    for (std::int64_t i = 0; i < y.size(); ++i) {
      bool const in_tile = i < 32 * 20 * 20 && i / 20 % 20 < 4 && i % 20 < 4;
      if (in_tile) spreads = spreads && !std::isfinite(y.data()[i]);
      else same = same && y.data()[i] == before.data()[i];
    }
    CHECK(spreads);
    CHECK(same);
  }
}

}  // namespace

}  // namespace winograd_test
