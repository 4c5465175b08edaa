#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tenon/backend/cpu/backend.hpp>

/// The kernels of depthwise convolutions of the CPU, compared with the sums of the definition.
namespace depthwise_kernels_test {

using namespace tenon::internal;

namespace {

enum class Order { channels_first, channels_between, channels_last };

/// Whole numbers are exact in sums of any order.
template <class T>
std::vector<T> whole_numbers(std::int64_t count, int seed) {
  std::vector<T> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = T((static_cast<int>(i % 1009) * 37 + seed) % 7 - 3);
  return result;
}

/// Images of some channels and slices: "image channel slice line", or with the channels elsewhere.
struct Case {
  DepthwiseNumbers numbers;
  std::int64_t in_count = 1, out_count = 1;

  Case(std::array<DepthwiseAxis, 3> const& axes, Order order, std::int64_t images,
       std::int64_t channels, std::int64_t multiplier) {
    numbers.axis = axes;
    numbers.channels = channels, numbers.multiplier = multiplier;
    numbers.channels_last = order == Order::channels_last;
    std::int64_t step = 1;
    for (std::size_t i = 3; i-- > 0; step *= numbers.axis[i].window)
      numbers.axis[i].window_step = step;
    if (order == Order::channels_last) place_channels();
    for (int i = 2; i >= 0; --i) {
      place(numbers.axis[static_cast<std::size_t>(i)]);
      if (order == Order::channels_between && i == 2) place_channels();
    }
    if (order == Order::channels_first) place_channels();
    numbers.batch.add({images, in_count, 0, out_count});
    in_count *= images, out_count *= images;
  }

  std::int64_t weights() const { return numbers.channels * numbers.multiplier * numbers.window(); }

  /// Calls f(x, w, y) for the offsets of all products.
  template <class F>
  void for_products(F const& f) const {
    auto const& n = numbers;
    LoopLabel const images = n.batch[0];
    for (std::int64_t i = 0; i < images.extent * n.channels * n.multiplier; ++i) {
      std::int64_t const output = i % (n.channels * n.multiplier), channel = output / n.multiplier;
      std::int64_t const image = i / (n.channels * n.multiplier);
      along(0, image * images.a + channel * n.in_channel, output * n.window(),
            image * images.c + output * n.out_channel, f);
    }
  }

 private:
  void place(DepthwiseAxis& axis) {
    axis.in_step = in_count, axis.out_step = out_count;
    in_count *= axis.in, out_count *= axis.out;
  }
  void place_channels() {
    numbers.in_channel = in_count, numbers.out_channel = out_count;
    in_count *= numbers.channels, out_count *= numbers.channels * numbers.multiplier;
  }
  template <class F>
  void along(std::size_t i, std::int64_t x, std::int64_t w, std::int64_t y, F const& f) const {
    if (i == 3)
      return f(static_cast<std::size_t>(x), static_cast<std::size_t>(w),
               static_cast<std::size_t>(y));
    DepthwiseAxis const& axis = numbers.axis[i];
    for (std::int64_t o = 0; o < axis.out; ++o)
      for (std::int64_t k = 0; k < axis.window; ++k) {
        std::int64_t const at = o * axis.stride + k * axis.dilation - axis.before;
        if (at >= 0 && at < axis.in)
          along(i + 1, x + at * axis.in_step, w + k * axis.window_step, y + o * axis.out_step, f);
      }
  }
};

/// The axis with these numbers; no result where the window does not fit.
DepthwiseAxis axis_of(std::int64_t in, std::int64_t window, std::int64_t stride,
                      std::int64_t dilation, std::int64_t before, std::int64_t behind) {
  std::int64_t const last = in + before + behind - (window - 1) * dilation - 1;
  return {in, last < 0 ? 0 : last / stride + 1, window, stride, dilation, before};
}

/// The values of all kernels, of number `which`: the result, and the adjoints of both operands.
template <class T>
std::vector<T> computed(Case const& c, int which, std::vector<T> const& a,
                        std::vector<T> const& b) {
  std::int64_t const counts[]{c.out_count, c.in_count, c.weights()};
  std::vector<T> result(static_cast<std::size_t>(counts[which]), T(99));
  if (which == 0) CpuBackend::convolve_depthwise(c.numbers, a.data(), b.data(), result.data());
  else if (which == 1)
    CpuBackend::depthwise_operand_adjoint(c.numbers, a.data(), b.data(), result.data());
  else CpuBackend::depthwise_weight_adjoint(c.numbers, a.data(), b.data(), result.data());
  return result;
}

template <class T>
bool are_the_sums(Case const& c) {
  auto const x = whole_numbers<T>(c.in_count, 1), w = whole_numbers<T>(c.weights(), 3),
             y = whole_numbers<T>(c.out_count, 5);
  std::vector<T> of_y(y.size()), of_x(x.size()), of_w(w.size());
  c.for_products([&](std::size_t i, std::size_t j, std::size_t k) {
    of_y[k] += x[i] * w[j], of_x[i] += y[k] * w[j], of_w[j] += x[i] * y[k];
  });
  return computed(c, 0, x, w) == of_y && computed(c, 1, y, w) == of_x &&
         computed(c, 2, x, y) == of_w;
}

std::string described(Case const& c) {
  std::string text;
  for (DepthwiseAxis const& axis : c.numbers.axis)
    for (std::int64_t const number :
         {axis.in, axis.window, axis.stride, axis.dilation, axis.before, axis.out})
      text += std::to_string(number) + (number == axis.out ? "; " : " ");
  return text + std::to_string(c.numbers.channels) + " x " + std::to_string(c.numbers.multiplier) +
         (c.numbers.channels_last ? " last" : "");
}

/// All combinations of numbers along one axis; those of others follow them in turn.
template <class F>
void for_axes(F const& f) {
  constexpr std::array<std::array<std::int64_t, 2>, 4> margins{{{0, 0}, {1, 1}, {2, 2}, {1, 2}}};
  std::vector<DepthwiseAxis> all;
  for (std::int64_t const in : {1, 2, 3, 4, 5, 6, 7, 8, 9, 30, 33})
    for (std::int64_t const window : {1, 2, 3, 4, 5, 7})
      for (std::int64_t const stride : {1, 2, 3})
        for (std::int64_t const dilation : {1, 2})
          for (auto const& [before, behind] : margins) {
            auto const axis = axis_of(in, window, stride, dilation, before, behind);
            if (axis.out > 0) all.push_back(axis);
          }
  REQUIRE(all.size() > 1000);
  for (std::size_t i = 0; i < all.size(); ++i)
    f(i, std::array{all[i], all[i * 389 % all.size()], all[i * 233 % all.size()]});
}

TEST_CASE("the kernels of a depthwise convolution are the sums of the definition") {
  for_axes([](std::size_t i, auto axes) {
    if (i % 3 != 0) axes[2] = DepthwiseAxis{};
    if (i % 3 == 1) axes[1] = DepthwiseAxis{};
    std::swap(axes[0], axes[2]);
    auto const order = static_cast<Order>(i % 4 % 3);
    constexpr std::array<std::int64_t, 4> channels{1, 3, 8, 17};
    std::int64_t const multiplier = order == Order::channels_last ? 1 : 1 + std::int64_t(i / 7 % 3);
    Case const c(axes, order, 1 + std::int64_t(i / 5 % 2), channels[i / 11 % 4], multiplier);
    if (c.in_count + c.out_count > 40000) return;
    INFO(described(c));
    if (i % 2 == 0) CHECK(are_the_sums<float>(c));
    else CHECK(are_the_sums<double>(c));
  });
}

TEST_CASE("planes and rows larger than the cache are divided") {
  auto const plane = axis_of(70, 3, 1, 1, 1, 1), row = axis_of(333, 5, 1, 2, 4, 4),
             strided = axis_of(200, 3, 2, 1, 1, 1), line = axis_of(30000, 4, 3, 1, 2, 1);
  for (Order const order : {Order::channels_first, Order::channels_between, Order::channels_last}) {
    CHECK(are_the_sums<float>({{DepthwiseAxis{}, plane, row}, order, 2, 3, 1}));
    CHECK(are_the_sums<double>({{DepthwiseAxis{}, strided, strided}, order, 1, 2, 1}));
    CHECK(are_the_sums<float>({{DepthwiseAxis{}, DepthwiseAxis{}, line}, order, 1, 2, 1}));
    CHECK(are_the_sums<float>({{strided, plane, axis_of(9, 3, 1, 1, 1, 1)}, order, 1, 1, 1}));
  }
}

TEST_CASE("an empty batch has adjoints of zero") {
  auto const axis = axis_of(5, 3, 1, 1, 1, 1);
  for (Order const order : {Order::channels_first, Order::channels_last})
    CHECK(are_the_sums<float>({{DepthwiseAxis{}, axis, axis}, order, 0, 3, 1}));
}

/// Whether an element that is not finite reaches exactly the results that read it: one of the
/// operand, or, of the operand's adjoint, of the result's adjoint.
template <class T>
bool keeps_apart(Case const& c, int which, T special) {
  auto from = whole_numbers<T>(which == 1 ? c.out_count : c.in_count, 1);
  auto const other = whole_numbers<T>(which == 2 ? c.out_count : c.weights(), 4);
  std::size_t const at = from.size() / 2;
  from[at] = special;
  auto const result = computed(c, which, from, other);
  std::vector<bool> reads(result.size());
  c.for_products([&](std::size_t x, std::size_t w, std::size_t y) {
    std::array const places{y, x, w};
    if ((which == 1 ? y : x) == at) reads[places[static_cast<std::size_t>(which)]] = true;
  });
  for (std::size_t i = 0; i < result.size(); ++i)
    if (std::isfinite(result[i]) == reads[i]) return false;
  return true;
}

TEST_CASE("NaN and infinity reach the windows that contain them alone") {
  for (Order const order : {Order::channels_first, Order::channels_between, Order::channels_last})
    for (std::int64_t const stride : {1, 2})
      for (std::int64_t const size : {3, 9, 21}) {
        auto const axis = axis_of(size, 3, stride, 1, 1, 1);
        Case const c({DepthwiseAxis{}, axis, axis}, order, 2, 3, 1);
        for (int const which : {0, 1, 2}) {
          CHECK(keeps_apart(c, which, std::numeric_limits<float>::quiet_NaN()));
          CHECK(keeps_apart(c, which, std::numeric_limits<double>::infinity()));
        }
      }
}

TEST_CASE("the bits of a depthwise convolution and its adjoints do not depend on threads") {
  for (Order const order : {Order::channels_first, Order::channels_last}) {
    auto const axis = axis_of(40, 3, 1, 1, 1, 1);
    Case const c({DepthwiseAxis{}, axis, axis}, order, 5, 17, 1);
    auto const tenths = [](std::int64_t count, int seed) {
      auto all = whole_numbers<float>(count, seed);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = all[i] / 10 + float(i % 13) / 7;
      return all;
    };
    auto const x = tenths(c.in_count, 1), w = tenths(c.weights(), 2), y = tenths(c.out_count, 3);
    auto const all = [&](int count) {
      tenon::set_threads(count);
      return std::array{computed(c, 0, x, w), computed(c, 1, y, w), computed(c, 2, x, y)};
    };
    int const before = tenon::threads();
    CHECK(all(1) == all(4));
    tenon::set_threads(before);
  }
}

}  // namespace

}  // namespace depthwise_kernels_test
