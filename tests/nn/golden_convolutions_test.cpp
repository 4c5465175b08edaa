#include <tenon/autodiff/higher_order.hpp>
#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "cases.hpp"

namespace golden_convolutions_test {

using namespace tenon;

namespace {

/// The check of a layer with a weight and perhaps a bias, on operands of type `X`.
template <class Layer, class X>
cases::Check layer() {
  using W = decltype(Layer::weight);
  using B = decltype(Layer::bias);
  if constexpr (std::is_same_v<B, std::tuple<>>)
    return cases::of<X, W>({"x", "weight"}, [](cases::Case const&, auto const& x, auto const& w) {
      return Layer{w, {}}(x);
    });
  else
    return cases::of<X, W, B>({"x", "weight", "bias"},
                              [](cases::Case const&, auto const& x, auto const& w, auto const& b) {
                                return Layer{w, b}(x);
                              });
}

std::map<std::string, cases::Check> const convolutions{
    {"line_of_long_strides", layer<Conv1d<"in=2", "out=3", 3, ConvOptions{.stride = 5}, double>,
                                   Float64<"batch in=2 time">>()},
    {"line_without_batch",
     layer<Conv1d<"in=2", "out=2", "t=4", ConvOptions{.padding = 1, .bias = false}, double>,
           Float64<"in t">>()},
    {"oblong", layer<Conv2d<"in=3", "in=2", "height=3 width=5", ConvOptions{}, double>,
                     Float64<"batch in=3 height=5 width=7">>()},
    {"options_for_each_axis",
     layer<Conv2d<"in=2", "out=3", 3,
                  ConvOptions{.stride = {2, 1}, .padding = {1, 2}, .dilation = {1, 2}}, double>,
           Float64<"batch in height width">>()},
    {"same",
     layer<
         Conv2d<"in=2", "out=2", "2 4", ConvOptions{.padding = "same", .dilation = {1, 2}}, double>,
         Float64<"batch in height width=5">>()},
    {"one_element", layer<Conv2d<"in=2", "out=2", 3, ConvOptions{.padding = 1}, double>,
                          Float64<"batch in height=1 width=1">>()},
    {"groups",
     layer<Conv2d<"in=4", "out=6", 3, ConvOptions{.stride = 2, .padding = 1, .groups = 2}, double>,
           Float64<"batch in height width">>()},
    {"depthwise",
     layer<
         Conv2d<"in=3", "in=6", "row=2 column=3", ConvOptions{.groups = 3, .bias = false}, double>,
         Float64<"batch in row column">>()},
    {"volume",
     layer<Conv3d<"in=2", "out=2", 2, ConvOptions{.stride = {1, 2, 1}, .padding = 1}, double>,
           Float64<"batch in=2 depth height width">>()},
    {"volume_in_groups", layer<Conv3d<"in=4", "out=4", "2 3 1", ConvOptions{.groups = 2}, double>,
                               Float64<"batch in depth height width">>()},
};

template <Spec In, Spec Out, internal::WindowSize size, ConvTransposeOptions o>
using Image = ConvTranspose2d<In, Out, size, o, double>;
std::map<std::string, cases::Check> const transposed{
    {"line",
     layer<ConvTranspose1d<"in=2", "out=3", 3,
                           ConvTransposeOptions{.stride = 2, .padding = 1, .output_padding = 1},
                           double>,
           Float64<"batch in=2 time">>()},
    {"line_of_long_strides",
     layer<ConvTranspose1d<"in=2", "in=2", 2, ConvTransposeOptions{.stride = 4, .bias = false},
                           double>,
           Float64<"in time">>()},
    {"image", layer<Image<"in=2", "out=3", "3 2", ConvTransposeOptions{}>,
                    Float64<"batch in height=3 width=4">>()},
    {"options_for_each_axis", layer<Image<"in=2", "out=2", 3,
                                          ConvTransposeOptions{.stride = {2, 1},
                                                               .padding = {1, 3},
                                                               .output_padding = {1, 0},
                                                               .dilation = {1, 2}}>,
                                    Float64<"batch in height width">>()},
    {"padding_beyond_the_kernel",
     layer<Image<"in=1", "out=2", "1 2", ConvTransposeOptions{.padding = {1, 2}}>,
           Float64<"batch in=1 height width">>()},
    {"groups", layer<Image<"in=4", "out=6", 3, ConvTransposeOptions{.stride = 2, .groups = 2}>,
                     Float64<"batch in height width">>()},
    {"one_element",
     layer<Image<"in=1", "out=1", 3, ConvTransposeOptions{.stride = 2, .padding = 1}>,
           Float64<"batch in height=1 width=1">>()},
    {"volume_in_groups",
     layer<ConvTranspose3d<"in=2", "out=2", 2, ConvTransposeOptions{.stride = 2, .groups = 2},
                           double>,
           Float64<"batch in depth height width">>()},
};
static_assert(
    shape_of<decltype(eval(ConvTranspose2d<"f=8", "c=3", 2, ConvTransposeOptions{.stride = 2}>()(
        Float32<"batch f=8 height width=8">())))> == "batch c=3 height=2*height width=16");

using Layer = Conv2d<"channel=4", "channel=4", 3, ConvOptions{.padding = 1, .groups = 2}, double>;
using Images = Float64<"batch channel=4 height width">;
using ImagesLast = Float64<"batch height width channel=4">;

static_assert(shape_of<decltype(eval(Layer()(Images())))> == "batch channel=4 height width");
static_assert(shape_of<decltype(eval(Conv2d<"c=3", "f=8", 5, ConvOptions{.stride = 2}>()(
                  Float32<"batch=2 height=9 width c=3">())))> ==
              "batch=2 height=3 width=(width-3)//2 f=8");

}  // namespace

TEST_CASE("convolutional layers have the values and gradients of PyTorch's") {
  cases::run("convolutions.txt", convolutions);
}

TEST_CASE("transposed convolutions have the values and gradients of PyTorch's") {
  cases::run("transposed_convolutions.txt", transposed);
  using Up =
      ConvTranspose1d<"c=2", "c=2", 3, ConvTransposeOptions{.stride = 2, .groups = 2}, double>;
  auto const x = normal<Float64<"time c=2">>(Key(2), 3);
  auto const loss = [&](Up const& up) { return sum(square(up(x))); };
  auto const layer = init::normal<Up>(Key(1), 0.5);
  CHECK_GRADIENT(loss, layer);
  CHECK_GRADIENT([&](Up const& up) { return sum(square(grad(loss)(up).weight)); }, layer);
}

TEST_CASE("a convolutional layer takes any order of axes, an empty batch, and trains") {
  auto const layer = init::normal<Layer>(Key(1), 0.5);
  auto const x = normal<Images>(Key(2), 2, 5, 3);
  ImagesLast const last = rearrange<"batch channel height width -> batch height width channel">(x);
  ImagesLast const expected =
      rearrange<"batch channel height width -> batch height width channel">(eval(layer(x)));
  CHECK(allclose(layer(last), expected, {.relative = 1e-12, .absolute = 1e-12}));
  CHECK(to_string(layer(take<"batch">(x, 1))) == to_string(take<"batch">(eval(layer(x)), 1)));
  CHECK(eval(layer(zeros<Images>(0, 5, 3))).size() == 0);
  CHECK_GRADIENT([&](Layer const& each) { return sum(square(each(x))); }, layer);
  CHECK_THROWS_WITH_AS(layer(zeros<Float64<"batch channel height width">>(1, 3, 4, 4)),
                       "tenon::Conv2d: 'channel': expected 4, got 3 (run-time sizes of \"batch "
                       "channel height=height+2 width=width+2\")",
                       ShapeError);
}

TEST_CASE("a depthwise layer has the same values and gradients for channels behind the image") {
  using Depthwise = Conv2d<"channel=4", "channel=4", 3,
                           ConvOptions{.stride = 2, .padding = 1, .groups = 4}, double>;
  auto const layer = init::normal<Depthwise>(Key(1), 0.5);
  auto const x = normal<Images>(Key(2), 2, 5, 6);
  ImagesLast const last = rearrange<"batch channel height width -> batch height width channel">(x);
  auto const loss = [](auto const& y) { return sum(exp(y)); };
  auto const [value, expected] =
      value_and_grad([&](Depthwise const& each) { return loss(each(x)); })(layer);
  auto const [other, gradient] =
      value_and_grad([&](Depthwise const& each) { return loss(each(last)); })(layer);
  CHECK(allclose(other, value, {.relative = 1e-12}));
  CHECK(allclose(gradient.weight, expected.weight, {.relative = 1e-12, .absolute = 1e-12}));
  CHECK_GRADIENT([&](ImagesLast const& each) { return loss(layer(each)); }, last);
}

TEST_CASE("a transposed convolution of one place at strides puts a product at every stride") {
  using OnePlace =
      ConvTranspose1d<"channel=2", "feature=3", 1,
                      ConvTransposeOptions{.stride = 3, .output_padding = 2, .bias = false},
                      double>;
  auto const layer = init::normal<OnePlace>(Key(1), 0.5);
  auto const x = normal<Float64<"batch channel=2 time">>(Key(2), 1, 2);
  Float64<"batch feature=3 time=_"> const y = layer(x);
  CHECK(y.sizes()[2] == 6);
  double const at_3 = x(0, 0, 1) * layer.weight(0, 1, 0) + x(0, 1, 1) * layer.weight(1, 1, 0);
  CHECK(y(0, 1, 3) == doctest::Approx(at_3));
  CHECK(y(0, 1, 1) == 0);
  CHECK_GRADIENT([&](auto const& each) { return sum(exp(layer(each))); }, x);
}

TEST_CASE("rows of tiles end within the sums of a group") {
  using Wide = Conv2d<"channel=16", "feature=48", 3, ConvOptions{.bias = false}, double>;
  auto const layer = init::normal<Wide>(Key(1), 0.5);
  for (std::int64_t const size : {9, 10}) {  // 49 and 64 places
    auto const x = normal<Float64<"batch channel=16 height width">>(Key(2), 1, size, size);
    auto const y = eval(layer(x));
    double sum_of_products = 0;
    for (int c = 0; c < 16; ++c)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          sum_of_products += x(0, c, size - 3 + i, size - 3 + j) * layer.weight(47, c, i, j);
    CHECK(y(0, 47, size - 3, size - 3) == doctest::Approx(sum_of_products));
  }
}

TEST_CASE("groups without room for an axis of theirs check the channels") {
  Conv3d<"c=4", "f=4", 1, ConvOptions{.groups = 2}> const layer;
  CHECK_THROWS_AS(layer(zeros<Float32<"batch c depth height width">>(1, 6, 1, 1, 1)), ShapeError);
}

TEST_CASE("a convolutional layer is initialised as PyTorch's, and converts to another dtype") {
  using Wide = Conv1d<"channel=16", "feature=32", 3>;
  auto const layer = init::kaiming_uniform<Wide>(Key(1), 1 / std::sqrt(3));
  double const bound = 1 / std::sqrt(16 * 3);
  CHECK(max(abs(layer.weight)).item() == doctest::Approx(bound).epsilon(0.02));
  CHECK(sum(abs(layer.bias)).item() == 0);
  static_assert(std::is_same_v<decltype(to<double>(layer)),
                               Conv1d<"channel=16", "feature=32", 3, ConvOptions{}, double>>);
}

}  // namespace golden_convolutions_test
