#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/train/config/toml.hpp>
#include <tenon/train/config/type.hpp>

namespace tenon::internal::training {

/// Parses a document of a format.
using Reader = Value (*)(std::string_view text, Source const& source);

/// That of YAML, where a file of the program includes <tenon/train/yaml.hpp>.
inline Reader yaml_reader = nullptr;

/// The whole of `load_config` but its type: ends the process after help and after errors.
void load_or_exit(Type const& type, void* object, int argc, char const* const* argv);

/// The whole of `parse_config`.
void read_arguments(Type const& type, void* object, std::span<std::string const> arguments);

/// Sets the fields that a document has.
void read_document(Type const& type, void* object, Reader read, std::string_view text,
                   Source const& source);

/// The text that `--help` prints.
std::string help_text(Type const& type, void* object, std::string const& program);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME
#include <tenon/train/config/load.ipp>
#endif
