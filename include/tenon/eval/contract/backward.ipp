#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/backward.hpp>

namespace tenon::internal {

TENON_RUNTIME bool covers(LoopLabels const& labels, std::int64_t elements) {
  std::int64_t covered = 1;
  for (int i = 0; i < labels.size; ++i) covered *= labels[i].in_result() ? labels[i].extent : 1;
  return covered == elements;
}

TENON_RUNTIME LoopLabels transposed_labels(LoopLabels labels, bool to_left) {
  for (int i = 0; i < labels.size; ++i) {
    LoopLabel const& of = labels[i];
    labels[i] = {of.extent, of.c, to_left ? of.b : of.a, to_left ? of.a : of.b};
  }
  return labels;
}

}  // namespace tenon::internal
