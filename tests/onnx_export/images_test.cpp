// Layers of images: convolutions are the operator Conv, pooling is an operator.

#include <tenon/nn.hpp>

#include "cases.hpp"

namespace onnx_cases {

namespace {

using Photo = Float32<"batch channel=4 height=6 width=5">;

struct Picture {
  Photo x;
};
Picture picture(std::int64_t batch) { return {normal<Photo>(Key(3), batch)}; }

template <class Layer>
void save_layer(std::string const& name) {
  Layer const layer = init::normal<Layer>(Key(1), 0.3);
  save_case(
      name, [=](auto const& x) { return eval(relu(layer(x))); }, picture(2), picture(1));
}
template <class Layer>
void save_function(std::string const& name, Layer const& layer) {
  save_case(
      name, [=](auto const& x) { return eval(layer(x)); }, picture(2), picture(1));
}

}  // namespace

TEST_CASE("onnx::save: layers of images") {
  save_layer<Conv2d<"channel=4", "feature=6", "3 2",
                    ConvOptions{.stride = {2, 1}, .padding = {1, 0}, .dilation = {1, 2}}>>(
      "conv2d");
  save_layer<Conv2d<"channel=4", "feature=6", 3, ConvOptions{.padding = "same", .groups = 2}>>(
      "conv2d_in_groups");
  save_layer<Conv2d<"channel=4", "channel=4", 3, ConvOptions{.groups = 4, .bias = false}>>(
      "conv2d_depthwise");
  save_layer<ConvTranspose2d<"channel=4", "feature=3", 3,
                             ConvTransposeOptions{.stride = 2, .output_padding = 1}>>(
      "conv_transpose2d");
  save_function("max_pool2d", MaxPool2d<"3 2", MaxPoolOptions{.padding = {1, 0}}>());
  save_function("max_pool2d_ceil",
                MaxPool2d<3, MaxPoolOptions{.stride = 2, .padding = 1, .ceil_mode = true}>());
  save_function("adaptive_avg_pool2d", AdaptiveAvgPool2d<"3 2">());
  save_function(
      "bilinear",
      Upsample<"height width", InterpolateOptions{.scale_factor = 2, .mode = "bilinear"}>());
  save_function("pixel_shuffle", PixelShuffle<2>());
  save_function("unfold", Unfold<"channel", 3>());
  save_function("fold", [](auto const& x) {
    return fold<"channel", "height=6 width=5", 2>(unfold<"channel", 2>(x));
  });
}

TEST_CASE("onnx::save: normalisations of images") {
  save_layer<GroupNorm<"channel=4", 2>>("group_norm");
  save_layer<GroupNorm<"channel=4", 2, "width">>("group_norm_along_width");
  save_function("instance_norm2d", InstanceNorm2d());
  save_function("local_response_norm", LocalResponseNorm<"channel", 3>());
}

namespace {

struct PictureAndGrid {
  Photo x;
  Float32<"batch row=3 column=4 2"> grid;
};
PictureAndGrid with_grid(std::int64_t batch) {
  return {normal<Photo>(Key(3), batch), normal<decltype(PictureAndGrid::grid)>(Key(4), batch)};
}
template <GridSampleOptions options>
void save_sampling(std::string const& name) {
  save_case(
      name, [](auto const& x, auto const& grid) { return grid_sample<options>(x, grid); },
      with_grid(2), with_grid(1));
}
struct Matrices {
  Float32<"batch 2 3"> theta;
};

}  // namespace

TEST_CASE("onnx::save: images at the places of a grid") {
  save_sampling<GridSampleOptions{}>("grid_sample");
  save_sampling<GridSampleOptions{.mode = "nearest", .padding_mode = "border"}>("grid_sample_near");
  save_sampling<GridSampleOptions{.padding_mode = "reflection", .align_corners = true}>(
      "grid_sample_reflection");
  save_case(
      "affine_grid", [](auto const& theta) { return affine_grid<"height=3 width=4">(theta); },
      Matrices{normal<Float32<"batch 2 3">>(Key(1), 2)},
      Matrices{normal<Float32<"batch 2 3">>(Key(1), 1)});
}

}  // namespace onnx_cases
