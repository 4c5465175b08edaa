#pragma once

#include <string>

#include <tenon/core/config.hpp>
#include <tenon/nn/attention_fit.hpp>

namespace tenon::internal {

TENON_RUNTIME void check_positions(std::int64_t wanted, std::int64_t others, std::string_view what,
                                   std::string_view who, std::string_view as_many) {
  if (wanted == others) return;
  fail<ShapeError>(
      {.who = who,
       .what = what,
       .expected = std::to_string(wanted) + " positions, as many as " + std::string(as_many),
       .got = std::to_string(others)});
}

}  // namespace tenon::internal
