#pragma once

#include <cstdint>
#include <cstdlib>

#include <tenon/eval/contract/product.hpp>

/// Contractions that add to elements of the result several times, as the adjoint of windows does.
namespace tenon::internal {

/// Whether the labels reach each element of the result at most once.
bool is_apart(LoopLabels const& labels);

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

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/contract/overlapping.ipp>
#endif
