#pragma once

#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/safetensors/file.hpp>
#include <tenon/io/safetensors/load.hpp>

namespace tenon::safetensors {

TENON_RUNTIME std::vector<std::string> File::names() const {
  std::vector<std::string> result;
  for (auto const& [name, entry] : file_->index().entries) result.push_back(name);
  return result;
}

TENON_RUNTIME bool File::contains(std::string_view name) const {
  return internal::safetensors::find_entry(file_->index(), name) != nullptr;
}

TENON_RUNTIME std::string_view File::dtype(std::string_view name) const {
  auto const& dtype = *entry(name).dtype;
  return dtype.dtype.empty() ? dtype.name : dtype.dtype;
}

TENON_RUNTIME std::vector<std::int64_t> const& File::sizes(std::string_view name) const {
  return entry(name).sizes;
}

TENON_RUNTIME Metadata File::metadata() const {
  return internal::safetensors::users_metadata(file_->index());
}

TENON_RUNTIME File::Entry const& File::entry(std::string_view name) const {
  Entry const* const found = internal::safetensors::find_entry(file_->index(), name);
  if (found == nullptr)
    internal::fail<FileError>({"load", name, "a tensor of that name", "none", file_->name()});
  return *found;
}

TENON_RUNTIME std::byte const* File::elements(std::string const& name, std::size_t alignment,
                                              bool are_bools) const {
  Entry const& found = entry(name);
  std::byte const* const data = file_->mapped(found);
  auto const over = reinterpret_cast<std::uintptr_t>(data) % alignment;
  if (over != 0) {
    std::string const wanted = "elements aligned to " + std::to_string(alignment) + " bytes";
    std::string const got = std::to_string(over) + " bytes after such a place";
    internal::fail<FileError>({"view", name, wanted, got, file_->name()});
  }
  if (are_bools)
    internal::safetensors::check_bools(name, data, found.end - found.begin, file_->name());
  return data;
}

}  // namespace tenon::safetensors
