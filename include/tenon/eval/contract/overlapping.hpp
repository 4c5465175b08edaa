#pragma once

#include <cstdint>
#include <cstdlib>

#include <tenon/eval/contract/product.hpp>

/// Products whose result comes to places several times, as the adjoint of windows does.
namespace tenon {

/// Do labels come to each place of the result once?
bool is_apart(LoopLabels const& labels);

/// The labels of a product in two parts: one that comes to each place of the result once, and one
/// that repeats it elsewhere. The longest stay together: of windows their places.
struct OverlappingLabels {
  LoopLabels apart, repeated;

  explicit OverlappingLabels(LoopLabels labels);

  /// Repeats what the left operand alone has, too, outside of all else, where there is enough to do
  /// for each: what one of them adds to is still in the cache.
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

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/contract/overlapping.ipp>
#endif
