#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/expr/view/stepped.hpp>

/// The adjoint of an operand that is read as windows, as a convolution of the adjoint of the result
/// with the reversed kernel: each element is a sum, and is written once. With a stride s it is one
/// convolution for each remainder of positions by s, with every s-th element of the kernel.
namespace tenon::internal {

/// An axis of memory along which windows slide, and the labels of a contraction for the positions
/// of windows and inside a window. Elements `first` to `last` have an adjoint that is read.
struct SlidAxis {
  int position = -1, inside = -1;
  std::int64_t stride, dilation, step, first, last;
  std::int64_t before = 0, behind = 0;  ///< Zeros around the adjoint of the result.

  /// Elements r, r + stride, ...: `count` of them, from number `begin` on. Of a window they read
  /// `terms` elements, from `inside` on; number q of them reads term u of position q + shift -
  /// dilation * u.
  struct Phase {
    std::int64_t begin, count, inside, terms, shift;
  };
  Phase phase(std::int64_t r, std::int64_t length) const;

  /// Sets `before` and `behind` for a kernel of `length` elements at `positions` positions.
  void surround(std::int64_t positions, std::int64_t length);
};

/// The contraction of one phase, and where its operands begin.
struct WindowPhase {
  LoopLabels labels;
  LoopLabel start = LoopLabel::one();
};

/// The adjoint of windows of a tensor: the labels are those of the contraction of the adjoint of
/// the result (a) with the kernel (b) to the memory of the tensor (c).
struct WindowAdjoint {
  LoopLabels labels;
  std::array<SlidAxis, max_rank> slid{};
  int count = 0;
  bool is_slid = false;  ///< Whether windows have this form, and overlap.
  bool covers = true;    ///< Whether every element whose adjoint is read is written.
  LoopLabels copy;       ///< The adjoint: from its own strides (a) to those with `b` zeros before.
  std::int64_t surrounded = 0;  ///< The number of elements with the zeros, if there are any.

  WindowAdjoint(LoopLabels const& all, Sizes const& sizes, int rank, PaddedEnds const* padded);
  std::int64_t phases() const;
  WindowPhase phase(std::int64_t number) const;

 private:
  bool find(Sizes const& sizes, int rank, PaddedEnds const* padded);
  bool place(int label, SlidAxis& axis) const;
  bool add(SlidAxis axis, std::int64_t size);
  void surround();
  /// Sets the zeros before a label of the adjoint; returns its extent with zeros.
  std::int64_t surround(LoopLabel& label, int number);
};

/// Whether all elements of b are finite: zeros around an adjoint, times infinity, would be NaN.
template <class T>
bool all_finite(T const* b, LoopLabels const& labels) {
  LoopLabels own;
  for (int i = 0; i < labels.size; ++i)
    if (labels[i].b != 0) own.add({labels[i].extent, 0, labels[i].b, 0});
  own.merge();
  LoopLabel const inner = own.take_longest();
  T sum = 0;
  for (std::int64_t i = 0; i < own.count(); ++i) {
    T const* const from = b + own.place(i).b;
    for (std::int64_t j = 0; j < inner.extent; ++j) sum += from[j * inner.b] * T(0);
  }
  return sum == 0;
}

/// Copies an adjoint to memory with zeros around it. (The zeros before are `b`, those behind fill
/// the slab of the label outside.)
template <class T>
void copy_with_zeros(LoopLabels const& labels, int level, T const* from, T* to, std::int64_t slab) {
  LoopLabel const& label = labels[level];
  std::int64_t const before = label.b * label.c, end = before + label.extent * label.c;
  std::fill(to, to + before, T(0));
  if (level + 1 == labels.size && label.a == 1) std::copy_n(from, label.extent, to + before);
  else
    for (std::int64_t i = 0; i < label.extent; ++i) {
      T* const here = to + before + i * label.c;
      if (level + 1 == labels.size) *here = from[i * label.a];
      else copy_with_zeros(labels, level + 1, from + i * label.a, here, label.c);
    }
  std::fill(to + end, to + slab, T(0));
}

/// c = a, or c += a, for elements with these labels.
template <class T>
void copy_labels(LoopLabels const& labels, int level, T const* from, T* to, bool accumulate) {
  LoopLabel const& label = labels[level];
  if (level + 1 < labels.size) {
    for (std::int64_t i = 0; i < label.extent; ++i)
      copy_labels(labels, level + 1, from + i * label.a, to + i * label.c, accumulate);
  } else if (accumulate) {
    for (std::int64_t i = 0; i < label.extent; ++i) to[i * label.c] += from[i * label.a];
  } else {
    for (std::int64_t i = 0; i < label.extent; ++i) to[i * label.c] = from[i * label.a];
  }
}

/// A phase whose result has no contiguous label: by way of a temporary that has one.
template <class Backend, bool winograd, class T>
void multiply_phase(LoopLabels labels, T const* a, T const* b, T* c, bool accumulate) {
  if (labels.has_unit())
    return multiply_labels<Backend, true, winograd>(labels, a, b, c, accumulate);
  LoopLabels result = nested(labels.chosen(true), &LoopLabel::c);
  std::int64_t size = 1;
  for (int i = result.size; i-- > 0; size *= result[i].extent) result[i].a = size;
  for (int i = 0; i < labels.size; ++i)
    for (int j = 0; labels[i].c != 0 && j < result.size; ++j)
      if (result[j].c == labels[i].c) {
        labels[i].c = result[j].a;
        break;
      }
  SharedBuffer const own(static_cast<std::size_t>(size) * sizeof(T));
  multiply_labels<Backend, true>(labels, a, b, own.as<T>(), false);
  Backend::parallel_for(result[0].extent, 0, [&](std::int64_t i, std::byte*) {
    copy_labels(result, 1, own.as<T const>() + i * result[0].a, c + i * result[0].c, accumulate);
  });
}

/// Adds (or sets) the adjoint of windows.
template <class Backend, bool winograd = false, class T>
void multiply_windows(WindowAdjoint const& windows, T const* adjoint, T const* kernel, T* to,
                      bool accumulate) {
  SharedBuffer const own(static_cast<std::size_t>(windows.surrounded) * sizeof(T));
  if (windows.surrounded > 0) {
    LoopLabel const outer = windows.copy[0];
    Backend::parallel_for(outer.extent, 0, [&](std::int64_t i, std::byte*) {
      copy_with_zeros(windows.copy, 1, adjoint + i * outer.a, own.as<T>() + i * outer.c, outer.c);
    });
    adjoint = own.as<T>();
  }
  for (std::int64_t i = 0; i < windows.phases(); ++i) {
    WindowPhase const phase = windows.phase(i);
    if (phase.labels.count() == 0) continue;
    multiply_phase<Backend, winograd>(phase.labels, adjoint + phase.start.a, kernel + phase.start.b,
                                      to + phase.start.c, accumulate);
  }
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <numeric>

#include <tenon/core/language/division.hpp>

namespace tenon::internal {

TENON_RUNTIME SlidAxis::Phase SlidAxis::phase(std::int64_t r, std::int64_t length) const {
  std::int64_t const begin = floor_of(first - r + stride - 1, stride);
  std::int64_t const count = std::max<std::int64_t>(0, floor_of(last - 1 - r, stride) + 1 - begin);
  std::int64_t i = 0;
  while (i < length && (i * dilation - r) % stride != 0) ++i;
  std::int64_t const terms = i < length ? (length - 1 - i) / stride + 1 : 0;
  return {begin, count, i, terms, (r - i * dilation) / stride};
}

TENON_RUNTIME void SlidAxis::surround(std::int64_t positions, std::int64_t length) {
  for (std::int64_t r = 0; r < stride; ++r) {
    Phase const p = phase(r, length);
    if (p.terms == 0 || p.count == 0) continue;
    before = (std::max)(before, dilation * (p.terms - 1) - p.begin - p.shift);
    behind = (std::max)(behind, p.begin + p.count + p.shift - positions);
  }
}

TENON_RUNTIME WindowAdjoint::WindowAdjoint(LoopLabels const& all, Sizes const& sizes, int rank,
                                           PaddedEnds const* padded)
    : labels(all) {
  constexpr std::int64_t most_phases = 16;
  is_slid = labels.count() > 0 && find(sizes, rank, padded) && count > 0 && phases() <= most_phases;
  if (is_slid) surround();
}

/// The axis whose elements a label with this stride reaches; -1 if none.
inline int axis_of_step(Sizes const& sizes, Sizes const& steps, int rank, std::int64_t step) {
  for (int i = 0; i < rank; ++i)
    if (at(sizes, i) > 1 && at(steps, i) <= step) return step % at(steps, i) == 0 ? i : -1;
  return -1;
}

TENON_RUNTIME bool WindowAdjoint::find(Sizes const& sizes, int rank, PaddedEnds const* padded) {
  Sizes const steps = row_major(sizes, rank);
  std::array<SlidAxis, max_rank> axes{};
  for (int i = 0; i < labels.size; ++i) {
    if (labels[i].c == 0 || labels[i].extent == 1) continue;
    int const axis = axis_of_step(sizes, steps, rank, labels[i].c);
    if (axis < 0 || !place(i, axes[static_cast<std::size_t>(axis)])) return false;
  }
  for (int i = 0; i < rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    axes[axis].step = at(steps, i);
    axes[axis].first = padded == nullptr ? 0 : padded->before[axis];
    axes[axis].last = at(sizes, i) - (padded == nullptr ? 0 : padded->behind[axis]);
    if (!add(axes[axis], at(sizes, i))) return false;
  }
  return true;
}

TENON_RUNTIME bool WindowAdjoint::place(int label, SlidAxis& axis) const {
  if (labels[label].a == 0 && labels[label].b == 0) return false;
  int& of_axis = labels[label].a == 0 ? axis.inside : axis.position;
  if (of_axis >= 0) return false;
  of_axis = label;
  return true;
}

TENON_RUNTIME bool WindowAdjoint::add(SlidAxis axis, std::int64_t size) {
  if (axis.position < 0 || axis.inside < 0) {
    int const one = (std::max)(axis.position, axis.inside);
    covers =
        covers && (one < 0 ? size == 1 : labels[one].c == axis.step && labels[one].extent == size);
    return true;
  }
  LoopLabel const &position = labels[axis.position], &inside = labels[axis.inside];
  std::int64_t const common = std::gcd(position.c, inside.c) / axis.step;
  axis.step *= common;
  axis.stride = position.c / axis.step, axis.dilation = inside.c / axis.step;
  axis.first = (axis.first + common - 1) / common, axis.last = (axis.last + common - 1) / common;
  bool const overlaps = (inside.extent - 1) * axis.dilation >= axis.stride;
  covers = covers && common == 1 && overlaps && inside.extent >= axis.stride;
  if (overlaps) slid[static_cast<std::size_t>(count++)] = axis;
  return position.b == 0;
}

TENON_RUNTIME std::int64_t WindowAdjoint::surround(LoopLabel& label, int number) {
  for (int k = 0; k < count; ++k) {
    SlidAxis& axis = slid[static_cast<std::size_t>(k)];
    if (axis.position != number) continue;
    axis.surround(label.extent, labels[axis.inside].extent);
    label.b = axis.before;
    return label.extent + axis.before + axis.behind;
  }
  return label.extent;
}

TENON_RUNTIME void WindowAdjoint::surround() {
  LoopLabels own, all = labels;
  for (int i = 0; i < labels.size; ++i)
    if (labels[i].a != 0) own.add({labels[i].extent, labels[i].a, 0, i});
  own = nested(own, &LoopLabel::a);
  std::int64_t size = 1, outermost = 0;
  for (int i = own.size; i-- > 0; size *= outermost) {
    auto const number = static_cast<int>(own[i].c);
    all[number].a = own[i].c = size;
    outermost = surround(own[i], number);
  }
  if (size == own.count()) return;
  if (outermost != own[0].extent) copy.add({1, 0, 0, size});
  for (int i = 0; i < own.size; ++i) copy.add(own[i]);
  labels = all;
  surrounded = size;
}

TENON_RUNTIME std::int64_t WindowAdjoint::phases() const {
  std::int64_t product = 1;
  for (int k = 0; k < count; ++k) product *= slid[static_cast<std::size_t>(k)].stride;
  return product;
}

TENON_RUNTIME WindowPhase WindowAdjoint::phase(std::int64_t number) const {
  WindowPhase result;
  std::array<bool, max_labels> is_slid_label{};
  for (int k = 0; k < count; ++k) {
    SlidAxis const& axis = slid[static_cast<std::size_t>(k)];
    LoopLabel const &position = labels[axis.position], &inside = labels[axis.inside];
    std::int64_t const r = number % axis.stride;
    number /= axis.stride;
    SlidAxis::Phase const p = axis.phase(r, inside.extent);
    result.labels.add({p.count, position.a, 0, axis.stride * axis.step});
    result.labels.add({p.terms, -axis.dilation * position.a, axis.stride * inside.b, 0});
    result.start.a += (p.begin + p.shift + axis.before) * position.a;
    result.start.b += p.inside * inside.b;
    result.start.c += (axis.stride * p.begin + r) * axis.step;
    for (int const label : {axis.position, axis.inside})
      is_slid_label[static_cast<std::size_t>(label)] = true;
  }
  for (int i = 0; i < labels.size; ++i)
    if (!is_slid_label[static_cast<std::size_t>(i)]) result.labels.add(labels[i]);
  return result;
}

}  // namespace tenon::internal

#endif
