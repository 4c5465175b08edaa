#pragma once

#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/train/config/value.hpp>

namespace tenon::internal::training {

/// One document of YAML 1.2 without anchors, aliases, tags and merge keys. Plain scalars have the
/// types of their fields: `no` is a string for a string, and an error for a bool.
Value read_yaml(std::string_view text, Source const& source);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME
#include <tenon/train/config/yaml.ipp>
#endif
