#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/labelled.hpp>

namespace tenon::internal {

TENON_RUNTIME LoopLabel LoopLabels::take_longest() {
  int longest = -1;
  for (int i = 0; i < size; ++i) {
    if (longest < 0 || (*this)[i].extent > (*this)[longest].extent) longest = i;
  }
  return longest < 0 ? LoopLabel::one() : take(longest);
}

TENON_RUNTIME void LoopLabels::merge() {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      if (i == j || !(*this)[j].merges_after((*this)[i])) continue;
      LoopLabel merged = (*this)[j];
      merged.extent *= (*this)[i].extent;
      (*this)[j] = merged;
      take(i);
      i = -1;
      break;
    }
  }
}

TENON_RUNTIME void SortedLabels::exchange_operands() {
  std::swap(rows, columns);
  for (LoopLabels* group : {&batch, &rows, &columns, &summed})
    for (int i = 0; i < group->size; ++i) std::swap((*group)[i].a, (*group)[i].b);
}

TENON_RUNTIME SortedLabels sorted(LoopLabels const& labels) {
  SortedLabels sorted;
  for (int i = 0; i < labels.size; ++i) {
    LoopLabel const& label = labels[i];
    if (label.extent == 1) continue;
    if (!label.in_result()) sorted.summed.add(label);
    else if (label.a != 0 && label.b != 0) sorted.batch.add(label);
    else if (label.b != 0) sorted.columns.add(label);
    else sorted.rows.add(label);
  }
  sorted.batch.merge();
  sorted.rows.merge();
  sorted.columns.merge();
  sorted.summed.merge();
  return sorted;
}

}  // namespace tenon::internal
