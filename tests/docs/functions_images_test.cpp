// Examples of docs/functions/: convolutional layers, pooling, interpolation.

#include <doctest/doctest.h>

#include <tenon/nn.hpp>

namespace functions_images_test {

using namespace tenon;

auto const line = normal<Float32<"batch channel=4 time=9">>(Key{1}, 2);
auto const image = normal<Float32<"batch channel=4 height=6 width=8">>(Key{1}, 2);
auto const volume = normal<Float32<"batch channel=4 depth=4 height=6 width=8">>(Key{1}, 2);

TEST_CASE("convolutional layers") {
  auto const conv1d = init::normal<Conv1d<"channel=4", "feature=8", 3>>(Key{2}, 0.1);
  static_assert(shape_of<decltype(eval(conv1d(line)))> == "batch feature=8 time=7");

  Conv2d<"channel=4", "feature=8", "height=3 width=5"> const conv2d;
  static_assert(shape_of<decltype(eval(conv2d(image)))> == "batch feature=8 height=4 width=4");

  Conv3d<"channel=4", "feature=8", 2> const conv3d;
  static_assert(shape_of<decltype(eval(conv3d(volume)))> ==
                "batch feature=8 depth=3 height=5 width=7");

  constexpr ConvOptions depthwise{.stride = {2, 1}, .padding = 1, .groups = 4, .bias = false};
  Conv2d<"channel=4", "channel=4", 3, depthwise> const depth;
  static_assert(shape_of<decltype(eval(depth(image)))> == "batch channel=4 height=3 width=8");

  constexpr ConvOptions permits{.padding = 1, .allow_winograd = true};
  Conv2d<"channel=4", "feature=8", 3, permits> const permitted;
  static_assert(shape_of<decltype(eval(permitted(image)))> == "batch feature=8 height=6 width=8");

  constexpr ConvTransposeOptions twice{.stride = 2};
  ConvTranspose1d<"channel=4", "feature=8", 2, twice> const longer;
  static_assert(shape_of<decltype(eval(longer(line)))> == "batch feature=8 time=18");

  ConvTranspose2d<"channel=4", "feature=8", 2, twice> const larger;
  static_assert(shape_of<decltype(eval(larger(image)))> == "batch feature=8 height=12 width=16");

  ConvTranspose3d<"channel=4", "feature=8", 2, twice> const fuller;
  static_assert(shape_of<decltype(eval(fuller(volume)))> ==
                "batch feature=8 depth=8 height=12 width=16");
}

TEST_CASE("pooling layers") {
  MaxPool1d<3> const max_of_line;
  static_assert(shape_of<decltype(max_of_line(line))> == "batch channel=4 time=3");

  MaxPool2d<"height=3 width=2", MaxPoolOptions{.stride = 2}> const max_of_image;
  static_assert(shape_of<decltype(max_of_image(image))> == "batch channel=4 height=2 width=4");

  MaxPool3d<2, MaxPoolOptions{.return_indices = true}> const max_of_volume;
  CHECK(max_of_volume(volume).indices.sizes() == max_of_volume(volume).values.sizes());

  AvgPool1d<3> const mean_of_line;
  static_assert(shape_of<decltype(mean_of_line(line))> == "batch channel=4 time=3");

  AvgPool2d<3, AvgPoolOptions{.padding = 1, .count_include_pad = false}> const mean_of_image;
  static_assert(shape_of<decltype(mean_of_image(image))> == "batch channel=4 height=2 width=3");

  AvgPool3d<2> const mean_of_volume;
  static_assert(shape_of<decltype(mean_of_volume(volume))> ==
                "batch channel=4 depth=2 height=3 width=4");

  CHECK(allclose(AdaptiveAvgPool1d<3>()(line), AvgPool1d<3>()(line), {.absolute = 1e-6}));

  AdaptiveAvgPool2d<1> const whole;
  static_assert(shape_of<decltype(whole(image))> == "batch channel=4 height=1 width=1");

  AdaptiveAvgPool3d<"2 3 4"> const blocks;
  CHECK(allclose(blocks(volume), mean_of_volume(volume), {.absolute = 1e-6}));

  CHECK(allclose(AdaptiveMaxPool1d<3>()(line), max_of_line(line)));

  auto const largest =
      AdaptiveMaxPool2d<"row=1 column=1", true>()(Float32<"row=2 column=2">{{1, 2}, {4, 3}});
  CHECK(largest.indices(0, 0) == 2);

  static_assert(shape_of<decltype(AdaptiveMaxPool3d<2>()(volume))> ==
                "batch channel=4 depth=2 height=2 width=2");

  Float32<"time=3"> const t{1, 2, 6};
  CHECK(to_string(adaptive_avg_pool<"time=2">(t)) == "[1.5 4. ]");

  CHECK(to_string(adaptive_max_pool<"time=2">(t)) == "[2. 6.]");

  CHECK(to_string(adaptive_max_pool_with_indices<"time=2">(t).indices) == "[1 2]");
}

TEST_CASE("resampling") {
  Float32<"time=2"> const t{1, 3};
  CHECK(to_string(interpolate<"time=4">(t)) == "[1. 1. 3. 3.]");

  constexpr InterpolateOptions options{.scale_factor = 2, .mode = "linear"};
  CHECK(to_string(interpolate<"time", options>(t)) == "[1.  1.5 2.5 3. ]");

  Upsample<"height width", InterpolateOptions{.scale_factor = 2, .mode = "bilinear"}> const up;
  static_assert(shape_of<decltype(up(image))> == "batch channel=4 height=12 width=16");

  static_assert(shape_of<decltype(pixel_shuffle<2>(image))> ==
                "batch channel=1 height=12 width=16");

  static_assert(shape_of<decltype(pixel_unshuffle<2>(image))> ==
                "batch channel=16 height=3 width=4");

  CHECK(allclose(PixelUnshuffle<2>()(PixelShuffle<2>()(image)), image));

  static_assert(shape_of<decltype(unfold<"channel", 3>(image))> == "batch channel=36 24");

  Unfold<"channel", 3, UnfoldOptions{.padding = 1}> const columns;
  static_assert(shape_of<decltype(columns(image))> == "batch channel=36 48");

  Float32<"channel=4 2"> const blocks{{1, 5}, {2, 6}, {3, 7}, {4, 8}};
  CHECK(to_string(fold<"channel", "height=2 width=3", 2>(blocks)) ==
        "[[[ 1.  7.  6.]\n  [ 3. 11.  8.]]]");

  Fold<"channel", "height=4 width=5", "2 3"> const image_of_blocks;
  static_assert(shape_of<decltype(image_of_blocks(Float32<"batch channel=18 9">()))> ==
                "batch channel=3 height=4 width=5");
}

}  // namespace functions_images_test
