#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/contraction.hpp>

namespace tenon {

TENON_RUNTIME LoopLabels labels_of(Contraction const& rule, LabelExtents const& extents,
                                   Sizes const& left, Sizes const& right, Sizes const& out) {
  auto const a = label_steps(rule.left, left);
  auto const b = label_steps(rule.right, right);
  auto const c = label_steps(rule.out, out);
  LoopLabels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
    labels.add({extents[i], a[i], b[i], c[i]});
  return labels;
}

}  // namespace tenon
