#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/frame/lower_row.hpp>

namespace tenon {

TENON_RUNTIME Sizes table_strides(Sizes const& strides, int rank, int axis, int moved) {
  Sizes result{};
  for (int i = 0; i < rank; ++i) {
    if (i != axis) at(result, i < axis ? i : i + moved) = at(strides, i);
  }
  return result;
}

}  // namespace tenon
