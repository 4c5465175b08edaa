#pragma once

#include <tenon/core/config.hpp>
#include <tenon/nn/losses.hpp>

namespace tenon::internal {

TENON_RUNTIME void check_equal_sizes(std::string_view loss, std::string_view spec,
                                     Sizes const& expected, Sizes const& got) {
  for (int i = 0; i < max_rank; ++i) {
    if (at(expected, i) != at(got, i)) sizes_differ(loss, spec, i, at(expected, i), at(got, i));
  }
}

}  // namespace tenon::internal
