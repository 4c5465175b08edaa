#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/tensor/index.hpp>

/// Contractions that add to elements of the result several times, as the adjoint of windows does.
namespace tenon::internal {

/// c += sum of a b, one repetition after the other.
template <class Backend, class T>
void multiply_repeated(OverlappingLabels labels, T const* a, T const* b, T* c) {
  if (labels.apart.count() == 0) return;
  labels.repeat_outermost();
  for (std::int64_t i = 0; i < labels.repeated.count(); ++i) {
    LoopLabel const at = labels.repeated.place(i);
    multiply_labels<Backend>(labels.apart, a + at.a, b + at.b, c + at.c, true);
  }
}

}  // namespace tenon::internal

/// Scatter-add of elements of which several map to one destination, as those of windows do.
namespace tenon::internal {

/// The axes of a tensor of windows, the outermost first: by their strides in the memory to which
/// its elements are added; of equal ones the longer axis comes last. If the last axis is one of
/// positions, the one before is that inside the windows, and walked backwards.
struct WindowAxes {
  int rank;
  std::array<int, max_rank> all{};
  bool is_swapped = false;  ///< Whether the axis of positions, with the larger stride, comes last.

  WindowAxes(Sizes const& sizes, Sizes const& to, int rank);

  int operator[](int i) const { return all[static_cast<std::size_t>(i)]; }

  /// Strides of memory for the elements: the axes inside windows follow the outermost one, so that
  /// a contraction has long rows and columns; all axes by their order where windows do not overlap.
  Sizes strides(Sizes const& sizes, Sizes const& to) const;
};

/// Adds the elements of one tensor to elements of another; several may have the same destination.
template <class T>
struct AddOverlapping {
  T* to;
  Sizes to_strides;
  T const* from;
  Sizes from_strides;  ///< Those of `axes`.
  Sizes sizes;
  WindowAxes axes;

  /// Whether parts along the outermost axis may be added in parallel, because their destinations
  /// are disjoint.
  bool is_apart() const {
    std::int64_t span = 1;
    for (int i = 1; i < axes.rank; ++i)
      span += (at(sizes, axes[i]) - 1) * std::abs(at(to_strides, axes[i]));
    return axes.rank > 1 && std::abs(at(to_strides, axes[0])) >= span;
  }

  void add(int nested, T* target, T const* source) const {
    int const here = axes[nested];
    std::int64_t const count = at(sizes, here), step = at(to_strides, here);
    if (nested == axes.rank - 1) return add_row(target, step, source, count);
    bool const backwards = axes.is_swapped && nested == axes.rank - 2;
    for (std::int64_t number = 0; number < count; ++number) {
      std::int64_t const i = backwards ? count - 1 - number : number;
      add(nested + 1, target + i * step, source + i * at(from_strides, here));
    }
  }

  template <class Backend>
  void run() const {
    if (axes.rank == 0) return add_row(to, 1, from, 1);
    if (!is_apart()) return add(0, to, from);
    Backend::parallel_for(at(sizes, axes[0]), 0, [&](std::int64_t i, std::byte*) {
      add(1, to + i * at(to_strides, axes[0]), from + i * at(from_strides, axes[0]));
    });
  }

 private:
  static void add_row(T* target, std::int64_t step, T const* source, std::int64_t count) {
    if (step == 1)
      for (std::int64_t i = 0; i < count; ++i) target[i] += source[i];
    else
      for (std::int64_t i = 0; i < count; ++i) target[i * step] += source[i];
  }
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tenon::internal {

/// Whether an axis reaches beyond one step of another.
inline bool reaches_beyond(Sizes const& sizes, Sizes const& to, int axis, int other) {
  return (at(sizes, axis) - 1) * std::abs(at(to, axis)) >= std::abs(at(to, other));
}

TENON_RUNTIME WindowAxes::WindowAxes(Sizes const& sizes, Sizes const& to, int axes) : rank(axes) {
  std::iota(all.begin(), all.end(), 0);
  auto const is_before = [&](int a, int b) {
    return std::tuple(-std::abs(at(to, a)), at(sizes, a), a) <
           std::tuple(-std::abs(at(to, b)), at(sizes, b), b);
  };
  // g++ 12 warns falsely about the end of a short array in std::sort (-Warray-bounds).
  for (auto i = all.begin(); i != all.begin() + rank; ++i)
    std::rotate(std::upper_bound(all.begin(), i, *i, is_before), i, i + 1);
  if (rank < 2) return;
  int& last = all[static_cast<std::size_t>(rank - 1)];
  int& previous = all[static_cast<std::size_t>(rank - 2)];
  is_swapped = at(sizes, last) < at(sizes, previous) && at(to, last) != at(to, previous) &&
               reaches_beyond(sizes, to, last, previous);
  if (is_swapped) std::swap(last, previous);
}

TENON_RUNTIME Sizes WindowAxes::strides(Sizes const& sizes, Sizes const& to) const {
  WindowAxes order = *this;
  auto const is_inside = [&](int i) {
    return is_swapped && (i == rank - 2 || (i > 1 && i < rank - 2 &&
                                            reaches_beyond(sizes, to, (*this)[i], (*this)[i - 1])));
  };
  int next = 1;
  for (bool const inside : {true, false})
    for (int i = 1; i < rank; ++i)
      if (is_inside(i) == inside) order.all[static_cast<std::size_t>(next++)] = (*this)[i];
  Sizes strides{};
  std::int64_t step = 1;
  for (int i = rank; i-- > 0; step *= at(sizes, order[i])) at(strides, order[i]) = step;
  return strides;
}

}  // namespace tenon::internal

#endif
