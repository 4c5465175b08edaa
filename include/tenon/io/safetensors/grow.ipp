#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/grow.hpp>

namespace tenon::internal::safetensors {

TENON_RUNTIME std::string Grower::below(std::string const& name, std::string const& part) {
  return name.empty() ? part : name + "." + part;
}

TENON_RUNTIME bool Grower::has_leaf(std::string const& name, tree::Path const& path) const {
  std::string const text = path.text();
  std::string const whole = text.empty() ? name : below(name, text);
  return header_.entries.contains(name_in_file(whole, options_));
}

TENON_RUNTIME bool Grower::has_prefix(std::string const& name) const {
  auto const& entries = header_.entries;
  if (entries.contains(name)) return true;
  auto const next = entries.lower_bound(name + ".");
  return next != entries.end() && next->first.starts_with(name + ".");
}

}  // namespace tenon::internal::safetensors
