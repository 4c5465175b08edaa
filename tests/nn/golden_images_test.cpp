#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "cases.hpp"

namespace golden_images_test {

using namespace tenon;

namespace {

using Lines = Float64<"batch channel time">;
using Images = Float64<"batch channel height width">;
using Volumes = Float64<"batch channel depth height width">;

template <class X, class F>
cases::Check function(F const& f) {
  return cases::of<X>({"x"}, [=](cases::Case const&, X const& x) { return f(x); });
}

template <GridSampleOptions options>
cases::Check sample() {
  return cases::of<Images, Float64<"batch row column 2">>(
      {"x", "grid"}, [](cases::Case const&, auto const& x, auto const& grid) {
        auto const y = grid_sample<options>(x, grid);
        static_assert(shape_of<decltype(y)> == "batch channel row column");
        return y;
      });
}

using G = GridSampleOptions;
using O = InterpolateOptions;
std::map<std::string, cases::Check> const images{
    {"nearest", function<Images>(Upsample<"height=7 width=3">())},
    {"nearest_twice", function<Images>(Upsample<"height width", O{.scale_factor = {2, 3}}>())},
    {"nearest_exact", function<Images>(Upsample<"height=7 width=3", O{.mode = "nearest-exact"}>())},
    {"linear", function<Lines>(Upsample<"time=8", O{.mode = "linear"}>())},
    {"bilinear", function<Images>(Upsample<"height=7 width=3", O{.mode = "bilinear"}>())},
    {"bilinear_twice",
     function<Images>(Upsample<"height width", O{.scale_factor = 2, .mode = "bilinear"}>())},
    {"bilinear_aligned",
     function<Images>(
         Upsample<"height=5 width=1", O{.mode = "bilinear", .align_corners = true}>())},
    {"bilinear_of_one", function<Float64<"batch channel=1 height=1 width=1">>(
                            Upsample<"height=2 width=3", O{.mode = "bilinear"}>())},
    {"bicubic", function<Images>(Upsample<"height=7 width=3", O{.mode = "bicubic"}>())},
    {"bicubic_aligned",
     function<Images>(Upsample<"height=3 width=5", O{.mode = "bicubic", .align_corners = true}>())},
    {"trilinear",
     function<Volumes>(Upsample<"depth=3 height=4 width=2", O{.mode = "trilinear"}>())},
    {"area", function<Images>(Upsample<"height=3 width=2", O{.mode = "area"}>())},
    {"pixel_shuffle", function<Float64<"batch channel=4 height width=3">>(PixelShuffle<2>())},
    {"pixel_unshuffle", function<Images>(PixelUnshuffle<3>())},
    {"unfold", function<Images>(Unfold<"channel", "2 3">())},
    {"unfold_with_options",
     function<Float64<"batch channel=2 height=4 width=5">>(
         Unfold<"channel", 2,
                UnfoldOptions{.dilation = {1, 2}, .padding = {1, 0}, .stride = {2, 1}}>())},
    {"fold", function<Float64<"batch channel block">>(Fold<"channel", "4 5", "2 3">())},
    {"fold_with_options",
     function<Float64<"batch channel=8 9">>(
         Fold<"channel", "4 5", 2,
              UnfoldOptions{.dilation = {1, 2}, .padding = {1, 0}, .stride = {2, 1}}>())},
    {"bilinear_zeros", sample<G{}>()},
    {"bilinear_zeros_aligned", sample<G{.align_corners = true}>()},
    {"bilinear_border", sample<G{.padding_mode = "border"}>()},
    {"bilinear_border_aligned", sample<G{.padding_mode = "border", .align_corners = true}>()},
    {"bilinear_reflection", sample<G{.padding_mode = "reflection"}>()},
    {"bilinear_reflection_aligned",
     sample<G{.padding_mode = "reflection", .align_corners = true}>()},
    {"bilinear_reflection_of_one",
     sample<G{.padding_mode = "reflection", .align_corners = true}>()},
    {"nearest_zeros", sample<G{.mode = "nearest"}>()},
    {"nearest_zeros_aligned", sample<G{.mode = "nearest", .align_corners = true}>()},
    {"nearest_border", sample<G{.mode = "nearest", .padding_mode = "border"}>()},
    {"nearest_border_aligned",
     sample<G{.mode = "nearest", .padding_mode = "border", .align_corners = true}>()},
    {"nearest_reflection", sample<G{.mode = "nearest", .padding_mode = "reflection"}>()},
    {"nearest_reflection_aligned",
     sample<G{.mode = "nearest", .padding_mode = "reflection", .align_corners = true}>()},
    {"affine_grid", function<Float64<"batch 2 3">>(
                        [](auto const& x) { return affine_grid<"height=3 width=4">(x); })},
    {"affine_grid_aligned", function<Float64<"batch 2 3">>([](auto const& x) {
       return affine_grid<"height=3 width=4", true>(x);
     })},
};

}  // namespace

TEST_CASE("functions of images have the values and gradients of PyTorch's") {
  cases::run("images.txt", images);
}

TEST_CASE("functions of images keep names, in any order of axes") {
  auto const x = normal<Float64<"batch row column c=4">>(Key(1), 2, 3, 5);
  auto const larger = interpolate<"row column", O{.scale_factor = {2, 3}, .mode = "bicubic"}>(x);
  static_assert(shape_of<decltype(larger)> == "batch row=2*row column=3*column c=4");
  CHECK_GRADIENT(
      [](auto const& v) { return sum(square(interpolate<"row=2", O{.mode = "linear"}>(v))); }, x);
  auto const shuffled = pixel_shuffle<2, "c row column">(x);
  static_assert(shape_of<decltype(shuffled)> == "batch row=2*row column=2*column c=1");
  CHECK(to_string(eval(pixel_unshuffle<2, "c row column">(shuffled))) == to_string(x));
  Float64<"batch block c=24"> const columns = unfold<"c", "row=2 column=3">(x);
  CHECK(columns.sizes()[1] == 6);
  CHECK(columns(0, 1, 3) == x(0, 1, 1, 0));  // channel 0, row 1, column 0 of block 1
  auto const folded = fold<"c", "row=3 column=5", "2 3">(rearrange<"b t c -> b c t">(columns));
  CHECK(folded(0, 0, 0, 0) == x(0, 0, 0, 0));
  CHECK(folded(1, 2, 1, 2) == doctest::Approx(6 * x(1, 1, 2, 2)));
  CHECK(eval(interpolate<"row=2">(zeros<Float64<"batch row">>(0, 3))).size() == 0);
}

}  // namespace golden_images_test
