#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/load.hpp>
#include <tenon/io/safetensors/axes.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME std::map<std::string, std::string> load_contents(std::filesystem::path const& path) {
  OpenFile const file(path);
  std::map<std::string, std::string> contents;
  for (auto const& [name, entry] : file.index().entries)
    contents[name] = safetensors::described(file.index(), name, entry);
  return contents;
}

}  // namespace tenon::internal::onnx
