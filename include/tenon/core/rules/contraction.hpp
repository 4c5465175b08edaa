#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/rules/einsum.hpp>
#include <tenon/core/rules/labels.hpp>
#include <tenon/core/rules/resolve.hpp>

namespace tenon::internal {

/// The first `count` axes of a shape.
constexpr Shape leading(Shape const& shape, int count) {
  Shape result;
  for (int i = 0; i < count; ++i) result[i] = shape[i];
  result.rank = count;
  return result;
}

/// Gives the next label to an axis of the result.
constexpr std::int8_t append_label(Contraction& product, Axis const& axis) {
  auto const label = static_cast<std::int8_t>(product.labels++);
  product.extents[static_cast<std::size_t>(label)] = axis.size;
  product.out[static_cast<std::size_t>(product.shape.rank)] = label;
  product.shape[product.shape.rank++] = axis;
  return label;
}

/// The contraction whose leading axes are aligned: labels 0, 1, ... in the order of the result.
constexpr Contraction batched(Broadcast<2> const& batch) {
  Contraction result;
  for (Axis const& axis : batch.shape) append_label(result, axis);
  result.left = batch.maps[0];
  result.right = batch.maps[1];
  return result;
}

/// Adds the row of `a`, the column of `b` and the contracted axis to the leading axes.
constexpr Contraction multiplied(Contraction const& batch, Shape const& a, int a_inner,
                                 Shape const& b, int b_inner) {
  Contraction result = batch;
  auto const at = [](int axis) { return static_cast<std::size_t>(axis); };
  if (a.rank > 1) result.left[at(a_inner - 1)] = append_label(result, a[a_inner - 1]);
  if (b.rank > 1) result.right[at(b_inner + 1)] = append_label(result, b[b_inner + 1]);
  auto const inner = static_cast<std::int8_t>(result.labels++);
  result.left[at(a_inner)] = inner;
  result.right[at(b_inner)] = inner;
  result.extents[at(inner)] = merge(a[a_inner], b[b_inner]).size;
  result.fits = true;
  return result;
}

/// For every axis of one side of a contraction the axis of another side with the same label; -1
/// where it has none.
constexpr AxisMap axes_with_label(AxisMap const& side, AxisMap const& other) {
  AxisMap result = no_axes();
  for (std::size_t k = 0; k < side.size(); ++k) {
    for (std::size_t i = 0; i < other.size(); ++i)
      if (side[k] >= 0 && other[i] == side[k]) result[k] = static_cast<std::int8_t>(i);
  }
  return result;
}

/// A contraction whose result has no size of an operand that means something else there.
constexpr Contraction without_captures(Contraction const& product, Shape const& a, Shape const& b) {
  Contraction result = product;
  result.shape = without_captures(
      product.shape, std::array<AxisScope, 2>{{{a, axes_with_label(product.left, product.out)},
                                               {b, axes_with_label(product.right, product.out)}}});
  ResolvedAxes const resolved_axes = resolve(result.shape);
  if (!resolved_axes.mistake.empty()) return mismatched(-1, -1, resolved_axes.mistake);
  result.shape = resolved_axes.shape;
  return result;
}

/// NumPy's matmul: the last axis of `a` with the second to last (or only) axis of `b`; the axes
/// before them broadcast. The contracted axes must agree, and never broadcast.
constexpr Contraction matmul_rule(Shape const& a, Shape const& b) {
  if (a.rank == 0 || b.rank == 0) return mismatched(-1, -1, "a scalar has no axis to contract");
  int const a_inner = a.rank - 1;
  int const b_inner = b.rank > 1 ? b.rank - 2 : 0;
  if (!agree(a[a_inner], b[b_inner])) {
    return mismatched(a_inner, b_inner, "the contracted axes do not agree");
  }
  auto const batch = broadcast_shapes(leading(a, a.rank > 2 ? a.rank - 2 : 0), leading(b, b_inner));
  if (!batch.fits) {
    return mismatched(batch.left_axis, batch.right_axis, "the leading axes do not broadcast");
  }
  return without_captures(multiplied(batched(batch), a, a_inner, b, b_inner), a, b);
}

/// Throws `ShapeError`: an axis has another size than one of the same label.
[[noreturn, gnu::cold]] void label_sizes_differ(std::string_view who, std::string_view operand,
                                                Shape const& shape, std::size_t axis,
                                                std::int64_t expected, std::int64_t got);

/// Adds the run-time sizes of one operand to those of the labels.
constexpr void add_label_sizes(LabelExtents& extents, std::string_view who,
                               std::string_view operand, AxisMap const& labels, Shape const& shape,
                               Sizes const& sizes) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape.rank); ++i) {
    if (labels[i] < 0) continue;
    std::int64_t& extent = extents[static_cast<std::size_t>(labels[i])];
    if (extent == dynamic) extent = sizes[i];
    if (extent == sizes[i]) continue;
    label_sizes_differ(who, operand, shape, i, extent, sizes[i]);
  }
}

/// The size of every label at run time; throws ShapeError where two axes of one label differ.
constexpr LabelExtents label_sizes(std::string_view who, Contraction const& product, Shape const& a,
                                   Sizes const& a_sizes, Shape const& b = {},
                                   Sizes const& b_sizes = {}) {
  LabelExtents result = product.extents;
  add_label_sizes(result, who, "the left operand", product.left, a, a_sizes);
  add_label_sizes(result, who, "the right operand", product.right, b, b_sizes);
  return result;
}

/// The sizes of axes from those of their labels; an axis with no label has size 1.
constexpr Sizes sizes_of_labels(LabelExtents const& extents, AxisMap const& labels, int rank) {
  Sizes result = unit_sizes();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (labels[i] >= 0) result[i] = extents[static_cast<std::size_t>(labels[i])];
  }
  return result;
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void label_sizes_differ(
    std::string_view who, std::string_view operand, Shape const& shape, std::size_t axis,
    std::int64_t expected, std::int64_t got) {
  std::string const where = concatenate({"axis ", decimal(static_cast<std::int64_t>(axis)), " of ",
                                         operand, ", \"", format(shape).view(), "\""});
  fail<ShapeError>({who, shape.axes[axis].name.view(), decimal(expected), decimal(got), where});
}

}  // namespace tenon::internal

#endif
