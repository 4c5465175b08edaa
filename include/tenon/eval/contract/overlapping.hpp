#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/product.hpp>
#include <tenon/tensor/index.hpp>

/// Contractions that add to elements of the result several times, as the adjoint of windows does.
namespace tenon::internal {

/// The labels of a contraction in two sets: one that reaches each element of the result once, and
/// one that repeats it at other offsets. The longest labels are in the first: for windows their
/// positions.
struct OverlappingLabels {
  LoopLabels apart, repeated;

  explicit OverlappingLabels(LoopLabels labels);

  /// Also makes the labels that only the left operand has outermost repetitions, if each has enough
  /// work: the elements that one repetition adds to are then still in the cache.
  void repeat_outermost();
};

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

/// The axes of `like` from the largest stride to the smallest; of equal ones the longer axis comes
/// last: for windows their positions, not the axes inside them.
std::array<int, max_rank> nested_axes(Sizes const& sizes, Sizes const& like, int rank);

/// Contiguous strides, the axes nested as those of other memory.
Sizes nested_strides(Sizes const& sizes, Sizes const& like, int rank);

/// Adds the elements of one tensor to elements of another; several may have the same destination.
template <class T>
struct AddOverlapping {
  T* to;
  Sizes to_strides;
  T const* from;
  Sizes from_strides;  ///< Those of `nested_strides`.
  Sizes sizes;
  int rank;
  std::array<int, max_rank> axes = nested_axes(sizes, to_strides, rank);

  int axis(int nested) const { return axes[static_cast<std::size_t>(nested)]; }

  /// Whether parts along the outermost axis may be added in parallel, because their destinations
  /// are disjoint.
  bool is_apart() const {
    std::int64_t span = 1;
    for (int i = 1; i < rank; ++i)
      span += (at(sizes, axis(i)) - 1) * std::abs(at(to_strides, axis(i)));
    return rank > 1 && std::abs(at(to_strides, axis(0))) >= span;
  }

  void add(int nested, T* target, T const* source) const {
    int const here = axis(nested);
    std::int64_t const count = at(sizes, here), step = at(to_strides, here);
    if (nested == rank - 1) return add_row(target, step, source, count);
    for (std::int64_t i = 0; i < count; ++i)
      add(nested + 1, target + i * step, source + i * at(from_strides, here));
  }

  template <class Backend>
  void run() const {
    if (rank == 0) return add_row(to, 1, from, 1);
    if (!is_apart()) return add(0, to, from);
    Backend::parallel_for(at(sizes, axis(0)), 0, [&](std::int64_t i, std::byte*) {
      add(1, to + i * at(to_strides, axis(0)), from + i * at(from_strides, axis(0)));
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

TENON_RUNTIME OverlappingLabels::OverlappingLabels(LoopLabels labels) {
  while (labels.size > 0) {
    LoopLabel const label = labels.take_longest();
    LoopLabels with = apart;
    with.add(label);
    (is_apart(with, &LoopLabel::c) ? apart : repeated).add(label);
  }
}

TENON_RUNTIME void OverlappingLabels::repeat_outermost() {
  constexpr std::int64_t enough = std::int64_t{1} << 20;  // multiply-adds: 30 µs
  LoopLabels const all = nested(apart, &LoopLabel::c);
  LoopLabel const outermost = all[0];
  if (outermost.a == 0 || outermost.b != 0 || apart.count() / outermost.extent < enough) return;
  LoopLabels inner;
  for (int i = 1; i < all.size; ++i) inner.add(all[i]);
  apart = inner;
  LoopLabels outer;
  outer.add(outermost);
  for (int i = 0; i < repeated.size; ++i) outer.add(repeated[i]);
  repeated = outer;
}

TENON_RUNTIME std::array<int, max_rank> nested_axes(Sizes const& sizes, Sizes const& like,
                                                    int rank) {
  std::array<int, max_rank> axes{};
  std::iota(axes.begin(), axes.end(), 0);
  auto const is_before = [&](int a, int b) {
    return std::tuple(-std::abs(at(like, a)), at(sizes, a), a) <
           std::tuple(-std::abs(at(like, b)), at(sizes, b), b);
  };
  // g++ 12 warns falsely about the end of a short array in std::sort (-Warray-bounds).
  for (auto i = axes.begin(); i != axes.begin() + rank; ++i)
    std::rotate(std::upper_bound(axes.begin(), i, *i, is_before), i, i + 1);
  return axes;
}

TENON_RUNTIME Sizes nested_strides(Sizes const& sizes, Sizes const& like, int rank) {
  auto const axes = nested_axes(sizes, like, rank);
  Sizes strides{};
  std::int64_t step = 1;
  for (int i = rank; i-- > 0; step *= at(sizes, axes[static_cast<std::size_t>(i)]))
    at(strides, axes[static_cast<std::size_t>(i)]) = step;
  return strides;
}

}  // namespace tenon::internal

#endif
