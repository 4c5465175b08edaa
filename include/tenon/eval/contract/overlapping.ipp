#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/overlapping.hpp>

namespace tenon::internal {

TENON_RUNTIME bool is_apart(LoopLabels const& labels) {
  LoopLabels const all = nested(labels, &LoopLabel::c);
  std::int64_t span = 1;
  for (int i = all.size; i-- > 0;) {
    if (!all[i].in_result() || all[i].extent == 1) continue;
    if (std::abs(all[i].c) < span) return false;
    span += (all[i].extent - 1) * std::abs(all[i].c);
  }
  return true;
}

TENON_RUNTIME OverlappingLabels::OverlappingLabels(LoopLabels labels) {
  while (labels.size > 0) {
    LoopLabel const label = labels.take_longest();
    LoopLabels with = apart;
    with.add(label);
    (is_apart(with) ? apart : repeated).add(label);
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

}  // namespace tenon::internal
