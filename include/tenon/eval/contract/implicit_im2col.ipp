#pragma once

#include <cstdlib>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/implicit_im2col.hpp>

namespace tenon::internal {

TENON_RUNTIME Im2colOffsets::Im2colOffsets(LoopLabels const& labels, std::int64_t LoopLabel::*steps)
    : count_(labels.count()), table_(2 * sizeof(std::int64_t) * static_cast<std::size_t>(count_)) {
  auto *const at = table_.as<std::int64_t>(), *const runs = at + count_;
  for (std::int64_t i = 0; i < count_; ++i) at[i] = labels.place(i).*steps;
  for (std::int64_t i = count_; i-- > 0;)
    runs[i] = i + 1 < count_ && at[i + 1] == at[i] + 1 ? runs[i + 1] + 1 : 1;
}

TENON_RUNTIME bool Im2colOffsets::is_even(std::int64_t first, std::int64_t count) const {
  for (std::int64_t i = first + 2; i < first + count; ++i)
    if ((*this)[i] - (*this)[i - 1] != (*this)[first + 1] - (*this)[first]) return false;
  return true;
}

TENON_RUNTIME LoopLabels nested(LoopLabels labels, std::int64_t LoopLabel::*steps) {
  for (int i = 1; i < labels.size; ++i) {
    for (int j = i; j > 0 && std::abs(labels[j].*steps) > std::abs(labels[j - 1].*steps); --j)
      std::swap(labels[j], labels[j - 1]);
  }
  return labels;
}

TENON_RUNTIME LoopLabels even_part(LoopLabels const& labels, LoopLabels& rest) {
  LoopLabels const all = nested(labels, &LoopLabel::c);
  int first = all.size;
  while (first > 0 && (first == all.size || all[first - 1].c == all[first].c * all[first].extent))
    --first;
  LoopLabels even;
  for (int i = 0; i < all.size; ++i) (i < first ? rest : even).add(all[i]);
  return even;
}

TENON_RUNTIME SortedLabels scattered(SortedLabels const& labels) {
  SortedLabels parts = labels;
  parts.rows = even_part(labels.rows, parts.batch);
  parts.columns = even_part(labels.columns, parts.batch);
  parts.summed = nested(labels.summed, &LoopLabel::a);
  return parts;
}

TENON_RUNTIME bool im2col_is_faster(SortedLabels const& labels) {
  constexpr std::int64_t large = std::int64_t{1} << 19;  // multiply-adds: 16 µs
  bool const several = labels.rows.size > 1 || labels.columns.size > 1 || labels.summed.size > 1;
  bool const whole = labels.rows.size > 0 && labels.summed.size > 0 && labels.columns.has_unit();
  return several && whole &&
         labels.rows.count() * labels.columns.count() * labels.summed.count() >= large;
}

TENON_RUNTIME Im2col im2col_operands(SortedLabels const& parts) {
  return {{parts.rows, &LoopLabel::a},
          {parts.summed, &LoopLabel::a},
          {parts.summed, &LoopLabel::b},
          {parts.columns, &LoopLabel::b}};
}

}  // namespace tenon::internal
