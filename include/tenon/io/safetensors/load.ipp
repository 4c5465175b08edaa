#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/load.hpp>

namespace tenon::internal {

TENON_RUNTIME Metadata safetensors::users_metadata(Header const& header) {
  Metadata metadata = header.metadata;
  std::erase_if(metadata, [](auto const& note) { return note.first.starts_with(spec_key); });
  return metadata;
}

TENON_RUNTIME Metadata load_metadata(std::filesystem::path const& path) {
  return safetensors::users_metadata(safetensors::Contents(path).header());
}

TENON_RUNTIME std::map<std::string, std::string> load_contents(std::filesystem::path const& path) {
  safetensors::Contents const file(path);
  safetensors::Header const& header = file.header();
  std::map<std::string, std::string> contents;
  for (auto const& [name, entry] : header.entries) {
    contents[name] = safetensors::described(header, name, entry);
  }
  return contents;
}

}  // namespace tenon::internal
