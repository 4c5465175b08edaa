#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/onnx/external.hpp>

namespace tenon::internal::onnx {

/// A location as a path: it is UTF-8, whatever the encoding of the system.
TENON_RUNTIME std::filesystem::path path_of(std::string_view location) {
  return std::u8string(location.begin(), location.end());
}

/// Whether a location names a file in the folder or below it, with the separators of any system.
TENON_RUNTIME bool is_below(std::string_view location) {
  constexpr std::string_view separators = "/\\";
  bool const has_root =
      path_of(location).has_root_path() || separators.find(location.front()) != separators.npos;
  if (has_root || location.find('\0') != location.npos) return false;
  while (true) {
    std::size_t const end = location.find_first_of(separators);
    if (location.substr(0, end) == "..") return false;
    if (end == location.npos) return true;
    location.remove_prefix(end + 1);
  }
}

TENON_RUNTIME std::shared_ptr<ExternalFiles::File const> ExternalFiles::open(
    std::string const& location) {
  auto& file = files_[location];
  if (!file) file = std::make_shared<File const>(model_.parent_path() / path_of(location));
  return file;
}

TENON_RUNTIME Bytes ExternalFiles::bytes(Source const& source, std::string_view tensor,
                                         ExternalData const& data) {
  if (data.location.empty() || !is_below(data.location))
    source.refuse(tensor, "external data in the folder of the model",
                  "'" + escaped(data.location) + "'");
  if (!is_beside(model_.parent_path() / path_of(data.location), model_))
    source.refuse(tensor, "external data in the folder of the model",
                  "'" + escaped(data.location) + "', a link to another");
  auto file = open(data.location);
  std::uint64_t const size = file->file.size();
  if (data.offset > size || data.length > size - data.offset)
    source.refuse(tensor, "external data within the " + std::to_string(size) + " bytes of its file",
                  std::to_string(data.length) + " bytes from " + std::to_string(data.offset));
  auto const length = static_cast<std::size_t>(data.length);
  std::span const all(file->mapped.data(), static_cast<std::size_t>(size));
  return {all.subspan(static_cast<std::size_t>(data.offset), length), std::move(file)};
}

}  // namespace tenon::internal::onnx
