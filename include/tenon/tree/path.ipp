#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tree/path.hpp>

namespace tenon::internal::tree {

TENON_RUNTIME std::string Path::text() const {
  if (!parent) return {};
  std::string before = parent->text();
  if (!before.empty()) before += '.';
  return before += name.empty() ? std::to_string(index) : std::string(name);
}

}  // namespace tenon::internal::tree
