#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/leaf.hpp>

namespace tenon::internal::safetensors {

TENON_RUNTIME std::string entry_name(tree::Path const& path) {
  std::string const name = path.text();
  return name.empty() ? "value" : name;
}

TENON_RUNTIME std::string quoted_spec(std::string_view dtype, std::string_view spec) {
  return std::string(dtype).append(" \"").append(spec).append("\"");
}

}  // namespace tenon::internal::safetensors
