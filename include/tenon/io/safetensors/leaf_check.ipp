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
void LeafCheck::refuse(std::string const& name, std::string const& expected,
                       std::string const& got) const {
  if (!options_.report_all) fail<Exception>({who_, name, expected, got, where_});
  mismatches_.push_back("'" + name + "': expected " + expected + ", got " + got);
}

TENON_RUNTIME bool LeafCheck::leaf(std::string const& name, StoredDtype const& dtype,
                                   Shape const& shape) const {
  Entry const* const found = find_entry(header_, name);
  if (!found) {
    if (!options_.keep_missing) {
      refuse<FileError>(name, in_tree(dtype, shape), "no tensor of that name");
    }
    return false;
  }
  Entry const& entry = *found;
  bool const is_dtype = has_dtype(entry, dtype);
  if (is_dtype && has_axes(name, entry, shape)) return true;
  std::string const got = described(header_, name, entry);
  if (is_dtype) refuse<ShapeError>(name, in_tree(dtype, shape), got);
  else refuse<FileError>(name, in_tree(dtype, shape), got);
  return true;
}

/// The first eight, and how many more there are.
TENON_RUNTIME std::string joined_mismatches(std::vector<std::string> const& mismatches) {
  std::string text;
  for (std::size_t i = 0; i < std::min(mismatches.size(), std::size_t{8}); ++i) {
    text += (i > 0 ? "; " : "") + mismatches[i];
  }
  if (mismatches.size() > 8) text += "; and " + std::to_string(mismatches.size() - 8) + " more";
  return text;
}

TENON_RUNTIME void LeafCheck::others(std::vector<std::string> found) const {
  std::ranges::sort(found);
  for (auto const& [name, entry] : header_.entries) {
    if (options_.ignore_extra || std::ranges::binary_search(found, name)) continue;
    refuse<FileError>(name, "no tensor of that name", described(header_, name, entry));
  }
  if (mismatches_.empty()) return;
  fail<FileError>({who_, "", "the entries of the tree", joined_mismatches(mismatches_), where_});
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
