#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/contraction.hpp>

namespace tenon::internal {

TENON_RUNTIME LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents,
                                   Sizes const& left, Sizes const& right, Sizes const& out) {
  LoopLabels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
    labels.add({extents[i], 0, 0, 0});
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (rule.left[i] >= 0) labels[rule.left[i]].a += left[i];
    if (rule.right[i] >= 0) labels[rule.right[i]].b += right[i];
    if (rule.out[i] >= 0) labels[rule.out[i]].c += out[i];
  }
  return labels;
}

}  // namespace tenon::internal
