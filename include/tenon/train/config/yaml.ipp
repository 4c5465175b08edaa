#pragma once

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/train/config/text_checks.hpp>
#include <tenon/train/config/yaml.hpp>
#include <tenon/train/config/yaml_builder.hpp>

namespace tenon::internal::training {

/// YAML allows no control characters but these three. (yaml-cpp ends a document at 0x04.)
constexpr bool is_control(char c) {
  auto const byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

inline void check_controls(std::string_view text, Source const& source) {
  auto const found = std::ranges::find_if(text, is_control);
  if (found == text.end()) return;
  auto const at = static_cast<std::size_t>(found - text.begin());
  refuse_text(source, line_at(text, at), "text", "the control character " + escaped({&*found, 1}));
}

TENON_RUNTIME Value read_yaml(std::string_view text, Source const& source) {
  check_text(text, source);
  check_controls(text, source);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    YamlBuilder builder(source);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take();
  } catch (YAML::Exception const& error) {
    refuse_text(source, line_of(error.mark), "valid YAML", excerpt(error.msg));
  }
}

}  // namespace tenon::internal::training
