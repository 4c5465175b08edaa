#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/contract/uncast.hpp>

namespace tenon::internal {

TENON_RUNTIME bool has_infinity(bfloat16 const* from, std::int64_t size) {
  int found = 0;
  for (std::int64_t i = 0; i < size; ++i) found |= (from[i].bits & 0x7fff) == 0x7f80;
  return found != 0;
}

}  // namespace tenon::internal
