#pragma once

#include <algorithm>
#include <optional>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace contractions {

/// The labels of an operand or the result, as letters; axes without a label are left out.
inline std::string letters(AxisMap const& labels, int rank) {
  std::string text;
  for (int i = 0; i < rank; ++i) {
    int const label = labels[static_cast<std::size_t>(i)];
    if (label >= 0) text += static_cast<char>('a' + label);
  }
  return text;
}

inline std::vector<std::int64_t> without_label(AxisMap const& labels, int rank) {
  std::vector<std::int64_t> axes;
  for (int i = 0; i < rank; ++i)
    if (labels[static_cast<std::size_t>(i)] < 0) axes.push_back(i);
  return axes;
}

/// Whether a contraction is NumPy's matmul: "…ij, …jk -> …ik", the right operand with the leading
/// axes of the left one or without any.
inline bool is_matmul(std::string const& a, std::string const& b, std::string const& c) {
  if (a.size() < 2 || b.size() < 2 || c.size() != a.size()) return false;
  std::string const batch = a.substr(0, a.size() - 2);
  char const row = a[a.size() - 2], inner = a.back(), column = b.back();
  bool const rights = b == std::string{inner, column} || b == batch + inner + column;
  return rights && c == batch + row + column && row != column && inner != column;
}

}  // namespace contractions

TENON_RUNTIME Lowering::Value Lowering::contraction(Step const& step) {
  if (Value y = convolution(step); !y.empty()) return y;
  Contraction const& rule = *step.type->contraction;
  auto const operand_of = [&](std::size_t k, AxisMap const& labels) {
    return build_.squeeze(value(step, k),
                          contractions::without_label(labels, operand(step, k).rank));
  };
  Value const a = operand_of(0, rule.left), b = operand_of(1, rule.right);
  std::string const left = contractions::letters(rule.left, operand(step, 0).rank);
  std::string const right = contractions::letters(rule.right, operand(step, 1).rank);
  std::string const out = contractions::letters(rule.out, step.rank);
  if (contractions::is_matmul(left, right, out)) return build_.add("MatMul", {a, b});
  return build_.add("Einsum", {a, b}, {attribute("equation", left + "," + right + "->" + out)});
}

namespace convolutions {

/// A contraction of windows with a kernel as the operator `Conv`: the axes of the operands and of
/// the result in its order (batch, channels, then the axes along which the kernel slides), -1 where
/// there is none; and the axes of the groups.
struct Layout {
  std::vector<int> image{-1, -1}, kernel{-1, -1}, result{-1, -1};
  int image_group = -1, kernel_group = -1, result_group = -1;
  std::vector<std::int64_t> strides{}, dilations{};

  bool has_groups() const { return image_group >= 0; }
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
  if (of_kernel >= 0 && of_result >= 0)
    return put(layout.image_group, axis) && put(layout.kernel_group, of_kernel) &&
           put(layout.result_group, of_result);
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
    int const along = walk_of(windows, image_rank, k).first;
    bool const is_one =
        along < 0 && window < 0 && windows.extents[static_cast<std::size_t>(k)].is(1);
    fits = (along == k || is_one) &&
           (window < 0 ? put_image_axis(layout, rule, k, k)
                       : put_slid_axis(layout, rule, windows, image_rank, k, window));
  }
  if (!fits || !put_kernel_axes(layout, rule, kernel_rank)) return {};
  return layout;
}

/// The sizes of axes in an order, 1 where there is none.
inline std::vector<Extent> extents_of(SymbolicStep const& step, std::vector<int> const& axes) {
  std::vector<Extent> result;
  result.reserve(axes.size());
  for (int const axis : axes)
    result.push_back(axis < 0 ? Extent{1} : step.extents[static_cast<std::size_t>(axis)]);
  return result;
}

/// Makes axis k and the one behind it one; false where their sizes are not constants.
inline bool merge_axes(std::vector<Extent>& extents, std::ptrdiff_t k) {
  auto const first = extents.begin() + k, second = first + 1;
  if (!first->is_constant() || !second->is_constant()) return false;
  first->constant *= second->constant;
  extents.erase(second);
  return true;
}

/// Axes with that of the groups at place k.
inline std::vector<int> with_group(std::vector<int> axes, std::ptrdiff_t k, int group) {
  axes.insert(axes.begin() + k, group);
  return axes;
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

/// The axes of a result in an order, of which those below 0 are dropped, as they are in a step.
TENON_RUNTIME Lowering::Value Lowering::in_place(Value const& y, std::vector<int> const& axes) {
  std::vector<std::int64_t> dropped, order;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] < 0) dropped.push_back(static_cast<std::int64_t>(i));
  order.resize(axes.size() - dropped.size());
  std::int64_t next = 0;
  for (int const axis : axes)
    if (axis >= 0) order[static_cast<std::size_t>(axis)] = next++;
  return build_.transpose(build_.squeeze(y, dropped), order);
}

/// A convolution in groups: the operator has them and the channels as one axis.
TENON_RUNTIME Lowering::Value Lowering::grouped_convolution(Step const& step,
                                                            convolutions::Layout const& layout,
                                                            std::vector<Attribute> attributes) {
  using namespace convolutions;
  Step const& windows = operand(step, 0);
  auto const image = with_group(layout.image, 1, layout.image_group);
  auto const kernel = with_group(layout.kernel, 0, layout.kernel_group);
  auto const result = with_group(layout.result, 1, layout.result_group);
  auto x_sizes = extents_of(operand(windows, 0), image);
  auto kernel_sizes = extents_of(operand(step, 1), kernel);
  attributes.push_back(attribute("group", kernel_sizes[0].constant));
  if (!merge_axes(x_sizes, 1) || !merge_axes(kernel_sizes, 0)) return {};
  Value const x = build_.reshape(in_order(value(windows, 0), image), x_sizes);
  Value const w = build_.reshape(in_order(value(step, 1), kernel), kernel_sizes);
  Value const y = build_.add("Conv", {x, w}, attributes);
  return in_place(build_.reshape(y, extents_of(step, result)), result);
}

TENON_RUNTIME Lowering::Value Lowering::convolution(Step const& step) {
  Step const& windows = operand(step, 0);
  if (step.dtype != "float32" || windows.kind != StepKind::node) return {};
  Step const& image = operand(windows, 0);
  auto const layout = convolutions::layout_of(step, windows, image.rank, operand(step, 1).rank);
  if (!layout) return {};
  std::vector<Attribute> const attributes{attribute("strides", layout->strides),
                                          attribute("dilations", layout->dilations)};
  if (layout->has_groups()) return grouped_convolution(step, *layout, attributes);
  Value const x = in_order(value(windows, 0), layout->image);
  Value const w = in_order(value(step, 1), layout->kernel);
  return in_place(build_.add("Conv", {x, w}, attributes), layout->result);
}

}  // namespace tenon::internal::onnx
