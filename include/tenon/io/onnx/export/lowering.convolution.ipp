#pragma once

#include <algorithm>
#include <optional>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace convolutions {

/// A contraction of windows with a kernel as the operator `Conv`: the axes of the operands and of
/// the result in its order (batch, channels, then the axes along which the kernel slides), -1 where
/// there is none.
struct Layout {
  std::vector<int> image{-1, -1}, kernel{-1, -1}, result{-1, -1};
  std::vector<std::int64_t> strides{}, dilations{};
};

/// The axis of an operand that has a label; -1 where there is none.
inline int axis_with(AxisMap const& labels, int label) { return position_of(labels, label); }

/// The axis of the image along which axis k of the windows walks, and its step.
inline std::pair<int, std::int64_t> walk_of(SymbolicStep const& windows, int image_rank, int k) {
  Extent const* const along =
      &windows.values[static_cast<std::size_t>(image_rank) * (static_cast<std::size_t>(k) + 1)];
  for (int i = 0; i < image_rank; ++i) {
    if (!along[i].is(0)) return {i, along[i].constant};
  }
  return {-1, 0};
}

/// Sets a place that is still free.
inline bool put(int& place, int axis) {
  bool const is_free = place < 0;
  place = axis;
  return is_free;
}

/// Enters the batch or channel axis `k` of the windows.
inline bool put_image_axis(Layout& layout, Contraction const& rule, int axis, int k) {
  int const label = rule.left[static_cast<std::size_t>(k)];
  int const of_kernel = axis_with(rule.right, label), of_result = axis_with(rule.out, label);
  if (of_kernel >= 0 && of_result >= 0) return false;
  if (of_kernel >= 0) return put(layout.image[1], axis) && put(layout.kernel[1], of_kernel);
  return put(layout.image[0], axis) && put(layout.result[0], of_result);
}

/// Enters an axis along which the kernel slides: axis `k` of the windows are the positions, and
/// `window` the elements of one.
inline bool put_slid_axis(Layout& layout, Contraction const& rule, SymbolicStep const& windows,
                          int image_rank, int k, int window) {
  auto const [axis, stride] = walk_of(windows, image_rank, k);
  int const of_kernel = axis_with(rule.right, rule.left[static_cast<std::size_t>(window)]);
  int const of_result = axis_with(rule.out, rule.left[static_cast<std::size_t>(k)]);
  layout.image.push_back(axis), layout.kernel.push_back(of_kernel);
  layout.result.push_back(of_result);
  layout.strides.push_back(stride);
  layout.dilations.push_back(walk_of(windows, image_rank, window).second);
  return of_kernel >= 0 && of_result >= 0;
}

/// Enters the channels of the result, which are an axis of the kernel alone.
inline bool put_kernel_axes(Layout& layout, Contraction const& rule, int kernel_rank) {
  for (int i = 0; i < kernel_rank; ++i) {
    int const label = rule.right[static_cast<std::size_t>(i)];
    if (axis_with(rule.left, label) >= 0) continue;
    if (!put(layout.kernel[0], i) || !put(layout.result[1], axis_with(rule.out, label)))
      return false;
  }
  return true;
}

inline std::optional<Layout> layout_of(SymbolicStep const& step, SymbolicStep const& windows,
                                       int image_rank, int kernel_rank) {
  Layout layout{};
  Contraction const& rule = *step.type->contraction;
  bool fits = windows.is(NodeKind::step) && windows.rank > image_rank;
  for (int k = 0; fits && k < image_rank; ++k) {
    int window = -1;
    for (int other = image_rank; other < windows.rank; ++other)
      if (walk_of(windows, image_rank, other).first == k) window = other;
    fits = walk_of(windows, image_rank, k).first == k &&
           (window < 0 ? put_image_axis(layout, rule, k, k)
                       : put_slid_axis(layout, rule, windows, image_rank, k, window));
  }
  if (!fits || !put_kernel_axes(layout, rule, kernel_rank)) return {};
  return layout;
}

}  // namespace convolutions

/// The axes of `x` in an order; where there is none, a new one of size 1.
TENON_RUNTIME Lowering::Value Lowering::in_order(Value const& x, std::vector<int> const& axes) {
  std::vector<std::int64_t> order, added;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0) added.push_back(static_cast<std::int64_t>(i));
    else order.push_back(axes[i]);
  }
  return build_.unsqueeze(build_.transpose(x, order), added);
}

TENON_RUNTIME Lowering::Value Lowering::convolution(Step const& step) {
  Step const& windows = operand(step, 0);
  if (step.dtype != "float32" || windows.kind != StepKind::node) return {};
  Step const& image = operand(windows, 0);
  auto const layout = convolutions::layout_of(step, windows, image.rank, operand(step, 1).rank);
  if (!layout) return {};
  Value const x = in_order(value(windows, 0), layout->image);
  Value y = build_.add(
      "Conv", {x, in_order(value(step, 1), layout->kernel)},
      {attribute("strides", layout->strides), attribute("dilations", layout->dilations)});
  std::vector<std::int64_t> dropped, order(static_cast<std::size_t>(step.rank));
  std::int64_t next = 0;
  for (std::size_t i = 0; i < layout->result.size(); ++i) {
    if (layout->result[i] < 0) dropped.push_back(static_cast<std::int64_t>(i));
    else order[static_cast<std::size_t>(layout->result[i])] = next++;
  }
  return build_.transpose(build_.squeeze(y, dropped), order);
}

}  // namespace tenon::internal::onnx
