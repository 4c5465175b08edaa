// The rule of convolutions: the resulting shapes and the mistakes.

#include <tenon/core/rules/convolution.hpp>

#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

constexpr Convolution convolved(Characters operand, Characters slides, Characters kernel,
                                Characters kernel_slides, Sliding const& sliding) {
  return convolution_rule(shape(operand), choose_axes(shape(operand), slides), shape(kernel),
                          choose_axes(shape(kernel), kernel_slides), sliding);
}
constexpr bool convolves(Characters operand, Characters slides, Characters kernel,
                         Characters kernel_slides, Characters result, Sliding const& sliding = {}) {
  auto const rule = convolved(operand, slides, kernel, kernel_slides, sliding);
  return rule.product.fits && format(rule.product.shape).view() == result;
}
constexpr bool cannot_convolve(Characters operand, Characters slides, Characters kernel,
                               Characters kernel_slides, Characters why) {
  auto const rule = convolved(operand, slides, kernel, kernel_slides, {});
  return !rule.product.fits && rule.product.mistake.view() == why;
}

// Axes of equal name are summed over; the kernel's other axes stand in the place of the first.
static_assert(convolves("b in=3 h=28 w=28", "h w", "out=8 in=3 h=5 w=5", "h w",
                        "b out=8 h=24 w=24"));
static_assert(convolves("b in=3 h=28", "h", "out=8 in=3 tap=5", "tap", "b out=8 h=24"));
static_assert(convolves("b t=10", "t", "out=2 t=3", "t", "b out=2 t=8"));
static_assert(convolves("t=10 in", "t", "t=3 in out", "t", "t=8 out"));
static_assert(convolves("t=10", "t", "t=3", "t", "t=10", {.padding = 1}));
static_assert(convolves("t=10", "t", "t=3", "t", "t=4", {.stride = 2}));
static_assert(convolves("t=10", "t", "t=3", "t", "t=6", {.dilation = 2}));
static_assert(convolves("t", "t", "t=3", "t", "t=t-2"));
static_assert(convolves("t", "t", "t=3", "t", "t=(t-1)//2", {.stride = 2}));
static_assert(convolves("t=10", "t", "k", "k", "t=_"));
static_assert(convolved("b in=3 t=9", "t", "out in=3 t=3", "t", {}).count == 1);
static_assert(convolved("b in=3 t=9", "t", "out in=3 t=3", "t", {}).slid[0] == 2);
static_assert(format(convolved("b in=3 t=9", "t", "out in=3 t=3", "t", {}).kernel).view() ==
              "t=3 in=3 out");

static_assert(cannot_convolve("t=2", "t", "t=3", "t",
                              "the kernel is longer than its axis, or another axis"));
static_assert(cannot_convolve("t=9", "t", "t=0", "t",
                              "the kernel is longer than its axis, or another axis"));
static_assert(cannot_convolve("in=3 t=9", "t", "in=4 t=3", "t",
                              "the axes that are summed over do not agree"));
static_assert(cannot_convolve("in t=9", "t", "5 t=3", "t", "an axis of the kernel has no name"));
static_assert(cannot_convolve("a b c d e f g t=9", "t", "t=3", "t", "more than eight axes"));
static_assert(cannot_convolve("a b c d e f t=9", "t", "x y t=3", "t", "more than eight axes"));
