#pragma once

#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/eval/plan/node_layout.hpp>

namespace tenon::internal {

TENON_RUNTIME Sizes sizes_among(Shape const& shape, std::int64_t const* run_time) {
  Sizes sizes = unit_sizes();
  bool is_first = true;
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i].is_static()) {
      at(sizes, i) = shape[i].size;
      continue;
    }
    if (std::exchange(is_first, false)) check_not_gone(*run_time);
    at(sizes, i) = *run_time++;
  }
  return sizes;
}

}  // namespace tenon::internal
