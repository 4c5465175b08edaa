#pragma once

#include <algorithm>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>

namespace tenon::internal {

namespace safetensors {

TENON_RUNTIME std::string name_in_file(std::string const& path, LoadOptions const& options) {
  return options.entry_name ? options.entry_name(path) : path;
}

template <class Exception>
void LeafCheck::refuse(std::string const& name, Entry const& entry, StoredDtype const& dtype,
                       Shape const& shape) const {
  std::string const got = described(header_, name, entry);
  fail<Exception>({who_, name, in_tree(dtype, shape), got, where_});
}

TENON_RUNTIME bool LeafCheck::leaf(std::string const& name, StoredDtype const& dtype,
                                   Shape const& shape) const {
  Entry const* const found = find_entry(header_, name);
  if (!found) {
    if (options_.keep_missing) return false;
    fail<FileError>({who_, name, in_tree(dtype, shape), "no tensor of that name", where_});
  }
  Entry const& entry = *found;
  if (!has_dtype(entry, dtype)) refuse<FileError>(name, entry, dtype, shape);
  if (!has_axes(name, entry, shape)) refuse<ShapeError>(name, entry, dtype, shape);
  return true;
}

TENON_RUNTIME void LeafCheck::others(std::vector<std::string> found) const {
  if (options_.ignore_extra) return;
  std::ranges::sort(found);
  for (auto const& [name, entry] : header_.entries) {
    if (std::ranges::binary_search(found, name)) continue;
    std::string const got = described(header_, name, entry);
    fail<FileError>({who_, name, "no tensor of that name", got, where_});
  }
}

TENON_RUNTIME bool LeafCheck::has_dtype(Entry const& entry, StoredDtype const& dtype) const {
  return entry.dtype == &dtype ||
         (options_.cast && is_castable(*entry.dtype) && is_castable(dtype));
}

TENON_RUNTIME bool LeafCheck::has_axes(std::string const& name, Entry const& entry,
                                       Shape const& shape) const {
  if (entry.sizes.size() > max_rank) return false;
  Shape axes = axes_of(header_, name, entry);
  for (int i = 0; options_.ignore_axis_names && i < axes.rank; ++i) axes[i].name = FixedText();
  return fits(shape, axes, sizes_of(entry));
}

TENON_RUNTIME std::string LeafCheck::in_tree(StoredDtype const& dtype, Shape const& shape) {
  return quoted_spec(dtype.dtype, format(shape).view());
}

TENON_RUNTIME void check_bools(std::string_view name, std::byte const* bytes, std::size_t count,
                               std::string_view where, std::string_view who) {
  for (std::byte const* at = bytes; at != bytes + count; ++at) {
    if (*at <= std::byte{1}) continue;
    std::string const got = "the byte " + std::to_string(std::to_integer<int>(*at));
    fail<FileError>({who, name, "0 or 1 for a bool", got, where});
  }
}

}  // namespace safetensors

}  // namespace tenon::internal
