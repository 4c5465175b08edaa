#include <doctest/doctest.h>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include <limits>

/// Depthwise layers, compared with an ordinary convolution of each channel by itself.
namespace depthwise_layers_test {

using namespace tenon;

namespace {

using First = Float64<"batch channel=3 height width">;
using Last = Float64<"batch height width channel=3">;
using Between = Float64<"height channel=3 width">;
using BatchLast = Float64<"channel=3 height width batch">;

constexpr ConvOptions with_groups(ConvOptions options, std::int64_t groups) {
  options.groups = groups, options.bias = false;
  return options;
}

/// A depthwise layer of three channels, and the layer of one channel.
template <internal::WindowSize size, ConvOptions options>
struct Layers {
  using All = Conv2d<"channel=3", "channel=3", size, with_groups(options, 3), double>;
  using One = Conv2d<"channel=1", "channel=1", size, with_groups(options, 1), double>;
};
template <internal::WindowSize size, ConvOptions options>
struct DoubledLayers {
  using All = Conv2d<"channel=3", "channel=6", size, with_groups(options, 3), double>;
  using One = Conv2d<"channel=1", "channel=2", size, with_groups(options, 1), double>;
};

/// Whether the channels of a result are those of convolutions of one channel.
template <class Layers, class X>
bool is_of_each_channel(typename Layers::All const& layer, X const& x) {
  constexpr std::int64_t outputs = Layers::One::Weight::shape[0].size;
  auto const y = eval(layer(x));
  for (std::int64_t c = 0; c < 3; ++c) {
    typename Layers::One const one{eval(slice<0, outputs>(layer.weight, c * outputs)), {}};
    auto const expected = eval(one(eval(slice<"channel", 1>(x, c))));
    auto const own = eval(slice<"channel", outputs>(y, c * outputs));
    if (!allclose(own, expected, {.relative = 1e-12, .absolute = 1e-12})) return false;
  }
  return true;
}

template <class Layers, class X>
void check_layer(X const& x) {
  using L = typename Layers::All;
  auto const layer = init::normal<L>(Key(1), 0.5);
  CHECK(is_of_each_channel<Layers>(layer, x));
  auto const loss = [](L const& by, X const& of) { return sum(exp(0.3 * by(of))); };
  CHECK_GRADIENT([&](X const& each) { return loss(layer, each); }, x);
  CHECK_GRADIENT([&](L const& each) { return loss(each, x); }, layer);
}

}  // namespace

TEST_CASE("a depthwise layer convolves each channel by itself, with these gradients") {
  auto const first = normal<First>(Key(2), 2, 5, 9);
  auto const last = normal<Last>(Key(2), 2, 5, 9);
  check_layer<Layers<3, ConvOptions{.padding = 1}>>(first);
  check_layer<Layers<3, ConvOptions{.padding = 1}>>(last);
  check_layer<Layers<3, ConvOptions{.padding = 1}>>(normal<BatchLast>(Key(2), 4, 5, 2));
  check_layer<Layers<"4 3", ConvOptions{.padding = "same", .dilation = {1, 2}}>>(first);
  check_layer<Layers<"2 5", ConvOptions{.stride = {2, 3}, .padding = {1, 2}}>>(
      normal<Between>(Key(2), 6, 11));
  check_layer<Layers<3, ConvOptions{.stride = 2, .padding = 1}>>(last);
  check_layer<DoubledLayers<3, ConvOptions{.stride = {1, 2}, .padding = 1}>>(first);
  check_layer<DoubledLayers<2, ConvOptions{}>>(last);
}

TEST_CASE("a depthwise layer has derivatives of derivatives, and along a tangent") {
  using L = Layers<3, ConvOptions{.stride = {1, 2}, .padding = 1}>::All;
  auto const layer = init::normal<L>(Key(1), 0.5);
  auto const x = normal<First>(Key(2), 1, 3, 4);
  struct Both {
    First x;
    L layer;
  };
  auto const loss = [](Both const& at) { return sum(exp(0.3 * at.layer(at.x))); };
  auto const squares = [&](Both const& at) {
    Both const gradient = grad(loss)(at);
    return eval(sum(square(gradient.x)) + sum(square(gradient.layer.weight)));
  };
  CHECK_GRADIENT(squares, Both{x, layer});
  First const tangent = normal<First>(Key(3), 1, 3, 4);
  auto const along = jvp([&](First const& each) { return eval(layer(each)); }, x, tangent).second;
  CHECK(allclose(along, eval(layer(tangent)), {.relative = 1e-12, .absolute = 1e-12}));
}

TEST_CASE("a depthwise layer takes volumes, lines and an empty batch") {
  using Volume = Conv3d<"c=2", "c=2", 2, ConvOptions{.padding = 1, .groups = 2}, double>;
  using One = Conv3d<"c=1", "c=1", 2, ConvOptions{.padding = 1}, double>;
  auto const volume = init::normal<Volume>(Key(1), 0.5);
  auto const x = normal<Float64<"batch c=2 depth height width">>(Key(2), 2, 2, 3, 4);
  One const second{eval(slice<0, 1>(volume.weight, 1)), eval(slice<0, 1>(volume.bias, 1))};
  auto const own = eval(slice<"c", 1>(eval(volume(x)), 1));
  auto const expected = eval(second(eval(slice<"c", 1>(x, 1))));
  CHECK(allclose(own, expected, {.relative = 1e-12, .absolute = 1e-12}));
  using Line = Conv1d<"c=2", "c=2", 3, ConvOptions{.padding = 1, .groups = 2}, double>;
  auto const line = init::normal<Line>(Key(1), 0.5);
  CHECK_GRADIENT([&](auto const& each) { return sum(exp(line(each))); },
                 normal<Float64<"time c=2">>(Key(2), 5));
  auto const none = zeros<First>(0, 5, 9);
  using L = Layers<3, ConvOptions{.padding = 1}>::All;
  L const of_none = grad([&](L const& each) { return sum(each(none)); })(L{});
  CHECK(to_string(sum(abs(of_none.weight))) == to_string(sum(abs(L{}.weight) * 0)));
}

/// With infinity at the first place of the first channel's kernel: at nine of sixteen places.
template <class X>
void check_infinity(X const& x) {
  auto layer = init::normal<Layers<3, ConvOptions{.padding = 1}>::All>(Key(1), 0.5);
  layer.weight.mutable_data()[0] = std::numeric_limits<double>::infinity();
  auto const count = [](auto const& each) { return sum(to<double>(each)).item(); };
  auto const y = eval(layer(x));
  auto const first = eval(slice<"channel", 1>(y, 0));
  auto const others = eval(slice<"channel", 2>(y, 1));
  CHECK(count(isinf(first)) == 9);
  CHECK(count(isnan(first)) == 7);
  CHECK(count(isfinite(others)) == 32);
  auto const dx = grad([&](X const& each) { return sum(layer(each)); })(x);
  CHECK(count(isinf(dx)) == 9);
  CHECK(count(isfinite(dx)) == 39);
}

TEST_CASE("infinity in a weight times zero around the operand is not a number, nor an adjoint") {
  check_infinity(normal<First>(Key(2), 1, 4, 4));
  check_infinity(normal<Last>(Key(2), 1, 4, 4));
}

TEST_CASE("a depthwise layer throws where windows or channels do not fit") {
  using L = Layers<3, ConvOptions{}>::All;
  CHECK_THROWS_AS(L()(normal<First>(Key(2), 1, 2, 5)), IndexError);
  CHECK_THROWS_AS(L()(normal<Float64<"channel height width">>(Key(2), 2, 5, 5)), ShapeError);
}

}  // namespace depthwise_layers_test
