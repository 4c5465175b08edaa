#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/safetensors/load.hpp>

namespace tenon::internal {

TENON_RUNTIME Metadata load_metadata(std::filesystem::path const& path) {
  Metadata metadata = safetensors::read_header(InputFile(path)).metadata;
  std::erase_if(metadata,
                [](auto const& note) { return note.first.starts_with(safetensors::spec_key); });
  return metadata;
}

TENON_RUNTIME std::map<std::string, std::string> load_contents(std::filesystem::path const& path) {
  safetensors::Header const header = safetensors::read_header(InputFile(path));
  std::map<std::string, std::string> contents;
  for (auto const& [name, entry] : header.entries) {
    contents[name] = safetensors::described(header, name, entry);
  }
  return contents;
}

}  // namespace tenon::internal
