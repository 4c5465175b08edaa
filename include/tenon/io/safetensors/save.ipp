#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/stable_sort.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/json.hpp>
#include <tenon/io/safetensors/save.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

namespace safetensors {

TENON_RUNTIME void sort_items(std::vector<Item>& items) {
  stable_sort(items, [](Item const& a, Item const& b) { return a.dtype->bits > b.dtype->bits; });
}

TENON_RUNTIME void add_spec(Metadata& metadata, Item const& item) {
  if (!item.spec.empty()) metadata[std::string(spec_key) + item.name] = item.spec;
}

TENON_RUNTIME void check_metadata(Metadata const& metadata, std::string const& where) {
  for (auto const& [name, text] : metadata) {
    if (!is_utf8(name))
      fail<ValueError>({"save", "metadata", "names of UTF-8", "other bytes", where});
    if (!is_utf8(text)) fail<ValueError>({"save", name, "a text of UTF-8", "other bytes", where});
    if (name.starts_with(spec_key)) {
      fail<ValueError>(
          {"save", name, "a name that Tenon does not use itself", "tenon.spec", where});
    }
  }
}

TENON_RUNTIME std::string metadata_text(Metadata const& metadata) {
  std::string text;
  for (auto const& [name, value] : metadata) {
    text.append(text.empty() ? "" : ",").append(json::quoted(name) + ":" + json::quoted(value));
  }
  return json::quoted(metadata_name) + ":{" + text + "}";
}

TENON_RUNTIME std::string entry_text(Item const& item, std::uint64_t begin) {
  std::string sizes;
  for (std::int64_t const size : item.sizes) {
    sizes.append(sizes.empty() ? "" : ",").append(std::to_string(size));
  }
  return json::quoted(item.name) + ":{\"dtype\":" + json::quoted(item.dtype->name) +
         ",\"shape\":[" + sizes + "],\"data_offsets\":[" + std::to_string(begin) + "," +
         std::to_string(begin + item.bytes) + "]}";
}

/// Everything before the data: the length of the header and the header, padded to 8 bytes.
TENON_RUNTIME std::string head_of(std::vector<Item> const& items, Metadata const& metadata) {
  std::string text = metadata.empty() ? "" : metadata_text(metadata);
  std::uint64_t begin = 0;
  for (Item const& item : items) {
    text.append(text.empty() ? "" : ",").append(entry_text(item, begin));
    begin += item.bytes;
  }
  text = "{" + text + "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string length;
  for (int i = 0; i < 64; i += 8) length += static_cast<char>(text.size() >> i & 255u);
  return length + text;
}

/// Rejects items that `load` would reject.
TENON_RUNTIME void check_items(std::vector<Item> const& items, std::size_t head,
                               std::string const& where) {
  for (Item const& item : items) {
    if (item.name == metadata_name) {
      fail<ValueError>(
          {"save", item.name, "a field of another name", "the name of the metadata", where});
    }
  }
  if (head > most_header_bytes) {
    std::string const got = std::to_string(head) + " bytes";
    fail<FileError>({"save", {}, "a header of at most 100000000 bytes", got, where});
  }
}

TENON_RUNTIME void write_items(std::filesystem::path const& path, std::vector<Item> const& items,
                               Metadata const& metadata) {
  std::string const head = head_of(items, metadata);
  check_items(items, head.size(), path.string());
  AtomicFile file(path);
  file.write(head);
  for (Item const& item : items) {  // those of a device are copied one at a time
    HostElements const elements(item);
    file.write(elements.data(), elements.bytes());
  }
  file.commit();
}

}  // namespace safetensors

}  // namespace tenon::internal
