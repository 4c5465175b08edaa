#pragma once

#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/io/json.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::safetensors {

/// Reads the entries of a header.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string_view where) : json_(text, where) {}

  Header read() {
    bool has_metadata = false;
    json_.object([&](std::string name) {
      if (name == metadata_name) {
        if (std::exchange(has_metadata, true)) refuse_repeated(name);
        return read_metadata();
      }
      auto const [place, is_new] = header_.entries.try_emplace(std::move(name));
      if (!is_new) refuse_repeated(place->first);
      read_entry(place->second);
    });
    json_.end();
    return std::move(header_);
  }

 private:
  void read_metadata() {
    json_.object([&](std::string name) {
      auto const [place, is_new] = header_.metadata.try_emplace(std::move(name));
      if (!is_new) refuse_repeated(place->first);
      place->second = json_.string();
    });
  }

  void read_entry(Entry& entry) {
    bool has_dtype = false, has_shape = false, has_offsets = false;
    json_.object([&](std::string const& name) {
      bool* const has = name == "dtype"          ? &has_dtype
                        : name == "shape"        ? &has_shape
                        : name == "data_offsets" ? &has_offsets
                                                 : nullptr;
      if (!has) json_.refuse("dtype, shape or data_offsets", "'" + name + "'");
      if (std::exchange(*has, true)) refuse_repeated(name);
      if (has == &has_dtype) read_dtype(entry);
      if (has == &has_shape) read_shape(entry);
      if (has == &has_offsets) read_offsets(entry);
    });
    if (!has_dtype) json_.refuse("a dtype", "none");
    if (!has_shape) json_.refuse("a shape", "none");
    if (!has_offsets) json_.refuse("data_offsets", "none");
  }

  void read_dtype(Entry& entry) {
    std::string const name = json_.string();
    entry.dtype = file_dtype_named(name);
    if (!entry.dtype) json_.refuse("a dtype of safetensors", "'" + name + "'");
  }

  void read_shape(Entry& entry) {
    json_.array([&] {
      std::int64_t const size = json_.number();
      if (size > largest_size) json_.refuse("a size of at most 2^53", std::to_string(size));
      if (entry.sizes.size() == most_axes) json_.refuse("at most 64 axes", "more");
      entry.sizes.push_back(size);
    });
  }

  void read_offsets(Entry& entry) {
    json_.expect('[');
    entry.begin = static_cast<std::uint64_t>(json_.number());
    json_.expect(',');
    entry.end = static_cast<std::uint64_t>(json_.number());
    json_.expect(']');
  }

  [[noreturn]] void refuse_repeated(std::string const& name) {
    json_.refuse("every name once", "'" + name + "' again");
  }

  json::Reader json_;
  Header header_;
};

TENON_RUNTIME Header read_entries(std::string_view text, std::string_view where) {
  return HeaderReader(text, where).read();
}

TENON_RUNTIME Entry const* find_entry(Header const& header, std::string_view name) {
  auto const found = header.entries.find(name);
  return found == header.entries.end() ? nullptr : &found->second;
}

}  // namespace tenon::internal::safetensors
