#pragma once

#include <cstdint>
#include <cstdlib>

#include <tenon/eval/contract/product.hpp>

/// Products whose result comes to places several times, as the adjoint of windows does.
namespace tenon {

/// Do labels come to each place of the result once?
inline bool is_apart(LoopLabels const& labels) {
  LoopLabels const all = nested(labels, &LoopLabel::c);
  std::int64_t span = 1;
  for (int i = all.size; i-- > 0;) {
    if (!all[i].in_result() || all[i].extent == 1) continue;
    if (std::abs(all[i].c) < span) return false;
    span += (all[i].extent - 1) * std::abs(all[i].c);
  }
  return true;
}

/// The labels of a product in two parts: one that comes to each place of the result once, and one
/// that repeats it elsewhere. The longest stay together: of windows their places.
struct OverlappingLabels {
  LoopLabels apart, repeated;

  explicit OverlappingLabels(LoopLabels labels) {
    while (labels.size > 0) {
      LoopLabel const label = labels.take_longest();
      LoopLabels with = apart;
      with.add(label);
      (is_apart(with) ? apart : repeated).add(label);
    }
  }

  /// Repeats what the left operand alone has, too, outside of all else, where there is enough to do
  /// for each: what one of them adds to is still in the cache.
  void repeat_outermost() {
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
