#pragma once

#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/train/config/value.hpp>

namespace tenon::internal::training {

/// "toml++ 3.3.0"
std::string toml_library();

/// A document of TOML 1.0.
Value read_toml(std::string_view text, Source const& source);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME
#include <tenon/train/config/toml.ipp>
#endif
