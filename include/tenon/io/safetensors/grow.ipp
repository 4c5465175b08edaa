#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/grow.hpp>

namespace tenon::internal::safetensors {

TENON_RUNTIME std::string Grower::below(std::string const& name, std::string const& part) {
  return name.empty() ? part : name + "." + part;
}

TENON_RUNTIME bool Grower::has(std::string const& name) const {
  auto const& entries = header_.entries;
  if (entries.contains(name)) return true;
  auto const next = entries.lower_bound(name + ".");
  return next != entries.end() && next->first.starts_with(name + ".");
}

}  // namespace tenon::internal::safetensors
