#pragma once

#include <array>
#include <cstdint>

#include <tenon/tensor/index.hpp>

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
#include <tenon/eval/contract/add_overlapping.ipp>
#endif
