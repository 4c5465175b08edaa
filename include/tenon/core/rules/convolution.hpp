#pragma once

#include <array>
#include <cstdint>

#include <tenon/core/language/division.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/core/rules/choose.hpp>
#include <tenon/core/rules/contraction.hpp>
#include <tenon/core/rules/join.hpp>

namespace tenon {

/// The parameters of a convolution along an axis: `stride`, zero `padding` at both ends, and
/// `dilation`. PyTorch: the arguments of `conv2d`; `allow_winograd` is a permission as its
/// `allow_tf32` is.
struct Sliding {
  std::int64_t stride = 1, padding = 0, dilation = 1;
  bool ceil_mode = false;  ///< Of pooling: a last window may end behind the padding.
  /// Of convolution: kernels of 3 x 3 with stride and dilation 1 may be applied by Winograd's
  /// algorithm, F(4 x 4, 3 x 3) of Lavin and Gray, arXiv 1509.09308, with other rounding.
  bool allow_winograd = false;

  /// The extent that a kernel covers: from its first element to one past its last.
  constexpr std::int64_t reach(std::int64_t kernel) const { return (kernel - 1) * dilation + 1; }

  /// The number of positions; 0 or less if none fits.
  constexpr std::int64_t places(std::int64_t size, std::int64_t kernel) const {
    std::int64_t const room = size + 2 * padding - reach(kernel);
    if (!ceil_mode) return internal::floor_of(room + stride, stride);
    std::int64_t const most = internal::floor_of(size + padding - 1, stride) + 1;
    std::int64_t const all = internal::floor_of(room + 2 * stride - 1, stride);
    return all < most ? all : most;
  }

  /// The same for axes: the name stays. A kernel of run-time length may share its name with the
  /// axis it slides along, but not the size.
  constexpr internal::Axis places(internal::Axis const& axis, internal::Axis const& kernel) const {
    if (!kernel.is_static()) return internal::unrelated_axis(axis.name);
    if (ceil_mode && axis.is_static())
      return internal::resized(axis, places(axis.size, kernel.size));
    if (ceil_mode && stride + padding > reach(kernel.size))
      return internal::unrelated_axis(axis.name);
    std::int64_t const added = 2 * padding - reach(kernel.size) + (ceil_mode ? stride - 1 : 0);
    if (stride == 1) return internal::plus(axis, added + 1);
    return internal::resized(axis, internal::quotient(internal::symbolic_extent(axis) +
                                                          internal::number_extent(added + stride),
                                                      internal::number_extent(stride)));
  }

  constexpr bool fits(internal::Axis const& axis, internal::Axis const& kernel) const {
    if (kernel.is_static() && kernel.size < 1) return false;
    if (!axis.is_static() || !kernel.is_static()) return true;
    return places(axis.size, kernel.size) >= 1;
  }
};

}  // namespace tenon

namespace tenon::internal {

/// A convolution as a contraction of a kernel with the windows of an operand: its axes, where slid
/// ones count positions, then one window axis for each slid one. The contraction reads the kernel
/// with the slid axes first, then the summed ones: a contiguous matrix, whose columns are the axes
/// that only the kernel has. (Of a depthwise one the columns are channels that the operand has
/// last.)
struct Convolution {
  Contraction product;
  Shape windows;
  Shape kernel;                      ///< In the order of the contraction.
  AxisMap order = no_axes();         ///< For each of its axes the index in the original kernel.
  std::array<int, max_rank> slid{};  ///< The operand's axis of each window axis.
  std::array<Sliding, max_rank> along{};  ///< How the kernel slides along it.
  int count = 0;                          ///< The number of slid axes.
};

/// Which axis of a kernel belongs to each axis of an operand, and how it slides along it.
struct ConvolutionPairs {
  AxisChoice slides{};
  AxisMap kernel = no_axes();  ///< -1 where there is none.
  std::array<Sliding, max_rank> sliding{};
  int group = -1;     ///< The operand's axis of which each part has its own part of the kernel.
  int misnamed = -1;  ///< A slid axis of the operand whose name another axis of the kernel has.
};

/// The axes of an operand and a kernel that have equal names.
struct NamedPairs {
  Shape const& operand;
  Shape const& kernel;
  AxisChoice slides, kernel_slides;

  /// The axis of the kernel that has the name of one of the operand.
  constexpr int kernel_axis(int axis) const {
    if (!operand[axis].is_named()) return -1;
    for (int i = 0; i < kernel.rank; ++i)
      if (kernel[i].name == operand[axis].name) return i;
    return -1;
  }

  /// The kernel's axis that slides along the operand's: of equal name, or the only one.
  constexpr int sliding_axis(int axis) const {
    return slides.count == 1 ? kernel_slides.axis() : kernel_axis(axis);
  }

  /// Whether the kernel's axis that slides along one axis of the operand has the name of another.
  constexpr bool is_misnamed(int axis, int other) const {
    for (int i = 0; i < operand.rank; ++i)
      if (i != axis && kernel_axis(i) == other) return true;
    int const namesake = kernel_axis(axis);
    return namesake >= 0 && namesake != other;
  }

  constexpr ConvolutionPairs pairs(Sliding const& sliding) const {
    ConvolutionPairs result{slides};
    for (int i = operand.rank - 1; i >= 0; --i) {
      int const other = slides[i] ? sliding_axis(i) : kernel_axis(i);
      result.kernel[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(other);
      result.sliding[static_cast<std::size_t>(i)] = sliding;
      if (slides[i] && is_misnamed(i, other)) result.misnamed = i;
    }
    return result;
  }
};

/// The state of building a convolution.
struct ConvolutionReader {
  Shape const& operand;
  Shape const& kernel;
  ConvolutionPairs pairs;
  Convolution result{};

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  constexpr bool refuse(int left, int right, FixedText const& why) {
    result.product = mismatched(left, right, why);
    return false;
  }

  constexpr int kernel_axis(int axis) const { return pairs.kernel[at(axis)]; }

  /// Assigns label `axis` to an axis of the operand, and to the kernel's if both have it.
  constexpr bool read_axis(int axis) {
    Contraction& product = result.product;
    product.left[at(axis)] = static_cast<std::int8_t>(product.labels++);
    int const other = kernel_axis(axis);
    bool const slides = pairs.slides[axis];
    Sliding const& sliding = pairs.sliding[at(axis)];
    result.windows[axis] = slides ? sliding.places(operand[axis], kernel[other]) : operand[axis];
    product.extents[at(axis)] = result.windows[axis].size;
    if (slides)
      return (sliding.fits(operand[axis], kernel[other]) && axis != pairs.misnamed) ||
             refuse(axis, other, "the kernel is longer than its axis, or another axis");
    if (other < 0) return true;
    if (!agree(operand[axis], kernel[other]))
      return refuse(axis, other, "the axes that are summed over do not agree");
    product.right[at(other)] = product.left[at(axis)];
    product.extents[at(axis)] = merge(operand[axis], kernel[other]).size;
    return true;
  }

  /// Adds the window axis for a slid one.
  constexpr void read_window(int axis) {
    Contraction& product = result.product;
    int const other = kernel_axis(axis);
    auto const label = static_cast<std::int8_t>(product.labels++);
    product.left[at(result.windows.rank)] = label;
    product.right[at(other)] = label;
    product.extents[at(label)] = kernel[other].size;
    result.along[at(result.count)] = pairs.sliding[at(axis)];
    result.slid[at(result.count++)] = axis;
    result.windows[result.windows.rank++] = resized(Axis{}, kernel[other].size);
  }

  constexpr bool read_operand() {
    result.windows.rank = operand.rank;
    for (int i = 0; i < operand.rank; ++i)
      if (!read_axis(i)) return false;
    if (operand.rank + pairs.slides.count > max_rank) return refuse(-1, -1, "more than eight axes");
    for (int i = 0; i < operand.rank; ++i)
      if (pairs.slides[i]) read_window(i);
    AxisMap to = same_order(operand.rank);
    for (int i = 0; i < operand.rank; ++i)
      if (!(result.windows[i] == operand[i])) to[at(i)] = -1;
    ResolvedAxes const resolved_axes = resolve(without_captures(result.windows, operand, to));
    result.windows = resolved_axes.shape;
    return resolved_axes.mistake.empty() || refuse(-1, -1, FixedText(resolved_axes.mistake));
  }

  /// Whether it is permitted to use Winograd's algorithm, and the kernel may be one of 3 x 3 that
  /// moves by single elements.
  constexpr bool allows_winograd() const {
    for (int i = 0; i < result.count; ++i) {
      Sliding const& along = result.along[at(i)];
      std::int64_t const size = kernel[kernel_axis(result.slid[at(i)])].size;
      if (!along.allow_winograd || along.stride != 1 || along.dilation != 1) return false;
      if (size != 3 && size != dynamic) return false;
    }
    return result.count == 2 && pairs.group < 0;
  }

  constexpr bool is_summed(int axis) const {
    return !pairs.slides[axis] && axis != pairs.group && kernel_axis(axis) >= 0;
  }

  /// The position of the kernel's own axes in the result: that of the first summed axis, else
  /// before the first slid one.
  constexpr int own_place() const {
    for (int i = 0; i < operand.rank; ++i)
      if (is_summed(i)) return i;
    return pairs.slides.axis();
  }

  constexpr bool write_own() {
    for (int i = 0; i < kernel.rank; ++i) {
      if (result.product.right[at(i)] >= 0) continue;
      if (!kernel[i].is_named()) return refuse(-1, -1, "an axis of the kernel has no name");
      if (result.product.shape.rank == max_rank) return refuse(-1, -1, "more than eight axes");
      result.product.right[at(i)] = append_label(result.product, kernel[i]);
    }
    return true;
  }

  constexpr bool write_result() {
    Contraction& product = result.product;
    for (int i = 0; i < operand.rank; ++i) {
      if (i == own_place() && !write_own()) return false;
      if (is_summed(i)) continue;
      if (product.shape.rank == max_rank) return refuse(-1, -1, "more than eight axes");
      product.out[at(product.shape.rank)] = product.left[at(i)];
      product.shape[product.shape.rank++] = result.windows[i];
    }
    product.fits = true;
    product.allow_winograd = allows_winograd();
    product = without_captures(product, result.windows, kernel);
    return product.fits;
  }

  /// Whether each group is one channel of the operand and of the result, and these are last.
  constexpr bool is_depthwise_last() const {
    if (pairs.group < 0) return false;
    for (int i = pairs.group + 1; i < operand.rank; ++i)
      if (operand[i].size != 1) return false;
    for (int i = 0; i < kernel.rank; ++i)
      if (kernel[i].size != 1 && label_of(i) != pairs.group && !is_window(i)) return false;
    return true;
  }
  constexpr int label_of(int axis) const { return result.product.right[at(axis)]; }
  constexpr bool is_window(int axis) const {
    return label_of(axis) >= operand.rank && label_of(axis) < operand.rank + pairs.slides.count;
  }

  /// 0 for a slid axis of the kernel or that of the groups, 1 for one that is summed over, 2 for
  /// the others, 3 for that of the groups where vectors of channels are contiguous.
  constexpr int turn_of(int axis) const {
    if (label_of(axis) == pairs.group) return is_depthwise_last() ? 3 : 0;
    if (is_window(axis)) return 0;
    return label_of(axis) < operand.rank ? 1 : 2;
  }

  constexpr void write_kernel() {
    int next = 0;
    AxisMap labels = no_axes();
    for (int turn = 0; turn < 4; ++turn) {
      for (int i = 0; i < kernel.rank; ++i) {
        if (turn_of(i) != turn) continue;
        labels[at(next)] = result.product.right[at(i)];
        result.order[at(next++)] = static_cast<std::int8_t>(i);
      }
    }
    result.product.right = labels;
    result.kernel = permuted(kernel, result.order);
  }
};

constexpr Convolution convolution_rule(Shape const& operand, Shape const& kernel,
                                       ConvolutionPairs const& pairs) {
  ConvolutionReader reader{operand, kernel, pairs};
  if (reader.read_operand() && reader.write_result()) reader.write_kernel();
  return reader.result;
}

/// A kernel over the axes of an operand that it slides along (`slides`, in the kernel
/// `kernel_slides`). Axes of equal name are summed over, the kernel's other axes are axes of the
/// result.
constexpr Convolution convolution_rule(Shape const& operand, AxisChoice const& slides,
                                       Shape const& kernel, AxisChoice const& kernel_slides,
                                       Sliding const& sliding) {
  NamedPairs const names{operand, kernel, slides, kernel_slides};
  return convolution_rule(operand, kernel, names.pairs(sliding));
}

}  // namespace tenon::internal
