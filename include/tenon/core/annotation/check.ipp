#pragma once

#include <tenon/core/annotation/check.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal {

TENON_RUNTIME std::string size_tuple(Shape const& shape) {
  std::string text = "(";
  for (Axis const& axis : shape) {
    text.append(text.size() > 1 ? ", " : "").append(std::to_string(axis.size));
  }
  return text + ")";
}

}  // namespace tenon::internal
