// Pooling as the operators of ONNX, in any order of axes and at sizes known at run time.

#include "cases.hpp"

namespace onnx_cases {

namespace {

constexpr Sliding overlapping{.stride = 2, .padding = 1};
constexpr Sliding apart{.dilation = 2};

/// A tensor, whose run-time sizes are given.
template <class X>
struct Operand {
  X x;
};
template <class X, class... I>
Operand<X> operand(I... sizes) {
  return {numbers<X>(1, sizes...)};
}

template <class Y, class Z>
struct Both {
  Y largest;
  Z mean;
};
template <internal::Axes axes, class X>
auto both(X const& x) {
  auto const largest = max_pool<axes, 3, overlapping>(x);
  auto const mean = avg_pool<axes, 2>(x);
  return Both<decltype(eval(largest)), decltype(eval(mean))>{largest, mean};
}

}  // namespace

TEST_CASE("onnx::save: pooling is an operator") {
  using First = Float32<"batch channel=3 height=9 width=6">;
  save_case(
      "pooled", [](auto const& x) { return both<"height width">(x); }, operand<First>(2),
      operand<First>(5));
  using Last = Float32<"batch height width channel">;
  save_case(
      "pooled_channels_last", [](auto const& x) { return both<"height width">(x); },
      operand<Last>(2, 9, 6, 3), operand<Last>(1, 8, 11, 2));
}

TEST_CASE("onnx::save: pooling of few and of many axes") {
  using Line = Float32<"t">;
  save_case(
      "pooled_line", [](auto const& x) { return both<"t">(x); }, operand<Line>(9),
      operand<Line>(4));
  using Rows = Float64<"batch t">;
  save_case(
      "pooled_rows", [](auto const& x) { return both<"t">(x); }, operand<Rows>(2, 9),
      operand<Rows>(3, 4));
  using Video = Float32<"a b=2 depth height=5 c width=4">;
  save_case(
      "pooled_video", [](auto const& x) { return both<"depth height width">(x); },
      operand<Video>(2, 4, 2), operand<Video>(1, 7, 3));
}

TEST_CASE("onnx::save: positions of maxima count within the pooled axes") {
  using Image = Float32<"batch channel=2 height=7 width=6">;
  save_case(
      "pooled_indices",
      [](auto const& x) { return max_pool_with_indices<"height width", 3, overlapping>(x); },
      operand<Image>(2), operand<Image>(3));
  using Last = Float32<"batch height width channel">;
  save_case(
      "pooled_indices_of_any_size",
      [](auto const& x) { return max_pool_with_indices<"height width", 2>(x); },
      operand<Last>(2, 4, 6, 3), operand<Last>(1, 5, 8, 2));
}

TEST_CASE("onnx::save: a mean with a dilation is an operator from opset 19 on") {
  auto const mean = [](auto const& x) { return avg_pool<"t", 3, apart>(x); };
  using Rows = Float32<"batch t">;
  save_case_with({.opset = 19}, "pooled_apart", mean, operand<Rows>(2, 9), operand<Rows>(3, 6));
  CHECK_THROWS_WITH_AS(
      onnx::save(folder() / "refused.onnx", mean, operand<Rows>(2, 9), {.opset = 18}),
      "tenon::onnx::save: 'avg_pool' has no form in ONNX: with a dilation before opset 19", Error);
}

}  // namespace onnx_cases
