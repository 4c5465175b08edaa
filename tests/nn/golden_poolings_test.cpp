#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "cases.hpp"

namespace golden_poolings_test {

using namespace tenon;

namespace {

using Lines = Float64<"batch channel time">;
using Images = Float64<"batch channel height width">;
using Volumes = Float64<"batch channel=1 depth height width">;

/// The check of a layer, with its indices if it returns them.
template <class Layer, class X>
cases::Check layer() {
  return cases::of<X>({"x"}, [](cases::Case const& c, X const& x) {
    auto const y = Layer()(x);
    if constexpr (requires { y.indices; }) {
      cases::near(c, "indices", y.indices);
      return y.values;
    } else return y;
  });
}

std::map<std::string, cases::Check> const poolings{
    {"max_line", layer<MaxPool1d<2, MaxPoolOptions{.stride = 3}>, Lines>()},
    {"max_image", layer<MaxPool2d<2, MaxPoolOptions{.return_indices = true}>, Images>()},
    {"max_for_each_axis", layer<MaxPool2d<"3 2", MaxPoolOptions{.stride = {2, 1},
                                                                .padding = {1, 0},
                                                                .dilation = {1, 2},
                                                                .return_indices = true}>,
                                Float64<"batch channel height=6 width=7">>()},
    {"max_volume", layer<MaxPool3d<"2 3 2", MaxPoolOptions{.return_indices = true}>, Volumes>()},
    {"max_one", layer<MaxPool2d<3, MaxPoolOptions{.stride = 1, .padding = 1}>, Images>()},
    {"avg_line", layer<AvgPool1d<4, AvgPoolOptions{.stride = 2, .padding = 1}>, Lines>()},
    {"avg_image",
     layer<AvgPool2d<"2 4", AvgPoolOptions{.stride = {1, 2}, .padding = {1, 2}}>, Images>()},
    {"avg_without_padding",
     layer<AvgPool2d<"2 4", AvgPoolOptions{.padding = {1, 2}, .count_include_pad = false}>,
           Images>()},
    {"max_ceil",
     layer<MaxPool2d<3,
                     MaxPoolOptions{
                         .stride = 2, .padding = 1, .return_indices = true, .ceil_mode = true}>,
           Images>()},
    {"max_ceil_of_long_strides",
     layer<MaxPool1d<2, MaxPoolOptions{.stride = 3, .padding = 1, .ceil_mode = true}>, Lines>()},
    {"avg_ceil",
     layer<AvgPool2d<"3 2", AvgPoolOptions{.stride = 2, .padding = 1, .ceil_mode = true}>,
           Images>()},
    {"avg_ceil_without_padding",
     layer<AvgPool2d<"3 2",
                     AvgPoolOptions{
                         .stride = 2, .padding = 1, .count_include_pad = false, .ceil_mode = true}>,
           Float64<"batch channel=2 height=6 width=5">>()},
    {"avg_volume", layer<AvgPool3d<2>, Volumes>()},
    {"adaptive_avg_line", layer<AdaptiveAvgPool1d<3>, Lines>()},
    {"adaptive_avg_image", layer<AdaptiveAvgPool2d<"3 2">, Images>()},
    {"adaptive_avg_larger", layer<AdaptiveAvgPool2d<"3 5">, Images>()},
    {"adaptive_avg_volume", layer<AdaptiveAvgPool3d<"2 1 2">, Volumes>()},
    {"adaptive_max_line", layer<AdaptiveMaxPool1d<3, true>, Lines>()},
    {"adaptive_max_image", layer<AdaptiveMaxPool2d<3, true>, Images>()},
    {"adaptive_max_volume", layer<AdaptiveMaxPool3d<"2 3 2", true>, Volumes>()},
};

}  // namespace

TEST_CASE("pooling layers have the values, indices and gradients of PyTorch's") {
  cases::run("poolings.txt", poolings);
}

TEST_CASE("adaptive pooling takes named axes in any order, and an empty batch") {
  auto const x = normal<Float64<"batch channel=2 row=5 column=4">>(Key(1), 3);
  Float64<"batch column=4 channel=2 row=5"> const turned =
      rearrange<"batch channel row column -> batch column channel row">(x);
  auto const mean = adaptive_avg_pool<"row=2 column=3">(x);
  static_assert(shape_of<decltype(mean)> == "batch channel=2 row=2 column=3");
  auto const same = [](auto const& a, auto const& b) {
    CHECK(allclose(a, eval(rearrange<"batch column channel row -> batch channel row column">(b)),
                   {.relative = 1e-12}));
  };
  same(mean, adaptive_avg_pool<"row=2 column=3">(turned));
  same(adaptive_max_pool<"row=2 column=3">(x), adaptive_max_pool<"row=2 column=3">(turned));
  CHECK(eval(AdaptiveMaxPool2d<2>()(zeros<Images>(0, 3, 4, 4))).size() == 0);
  CHECK(eval(AvgPool2d<2>()(zeros<Images>(0, 3, 4, 4))).size() == 0);
  CHECK_GRADIENT([](auto const& v) { return sum(square(adaptive_avg_pool<"row=3">(v))); }, x);
  CHECK_GRADIENT([](auto const& v) { return sum(square(adaptive_max_pool<"row=3">(v))); }, x);
  CHECK_THROWS_WITH_AS(adaptive_avg_pool<"time=2">(zeros<Lines>(1, 1, 0)),
                       "tenon::adaptive_avg_pool: an empty axis", ShapeError);
}

}  // namespace golden_poolings_test
