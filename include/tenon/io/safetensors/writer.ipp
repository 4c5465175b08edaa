#pragma once

#include <set>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/safetensors/writer.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::safetensors {

TENON_RUNTIME void Writer::save(std::filesystem::path const& path, Metadata metadata) const {
  internal::safetensors::check_metadata(metadata, path.string());
  std::set<std::string> names;
  for (auto const& item : items_) {
    auto const refuse = [&](std::string const& expected, std::string const& got) {
      internal::fail<ValueError>({"save", item.name, expected, got, path.string()});
    };
    if (!internal::is_utf8(item.name)) refuse("a name of UTF-8", "other bytes");
    if (!names.insert(item.name).second) refuse("every name once", "it again");
  }
  auto items = items_;
  for (auto const& item : items) internal::safetensors::add_spec(metadata, item);
  internal::safetensors::sort_items(items);
  internal::safetensors::write_items(path, items, metadata);
}

}  // namespace tenon::safetensors
