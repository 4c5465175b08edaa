#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/leaf.hpp>

namespace tenon::internal::safetensors {

/// The names in a spec, "" for an axis without. Not by `parse`, which is for specs in source code:
/// a file may contain arbitrary text.
TENON_RUNTIME std::vector<std::string_view> names_in(std::string_view spec) {
  std::vector<std::string_view> names;
  while (names.size() <= max_rank) {
    std::string_view const word = next_word(spec);
    if (word.empty()) break;
    std::string_view const name = word.substr(0, word.find('='));
    bool const is_known = is_name(name) && name[0] != '_' && name.size() <= FixedText::capacity;
    names.push_back(is_known ? name : "");
  }
  return names;
}

/// The axis names of an entry, if the metadata have a spec of the same rank. (Sizes are those of
/// the entry: other programs may change a tensor and copy the metadata.)
TENON_RUNTIME std::vector<std::string_view> axis_names(Header const& header, std::string_view name,
                                                       std::size_t rank) {
  std::vector<std::string_view> none(rank, "");
  auto const note = header.metadata.find(std::string(spec_key).append(name));
  if (note == header.metadata.end()) return none;
  auto names = names_in(note->second);
  return names.size() == rank ? names : none;
}

TENON_RUNTIME Shape axes_of(Header const& header, std::string_view name, Entry const& entry) {
  auto const names = axis_names(header, name, entry.sizes.size());
  Shape result{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    result[result.rank++] = named_axis(names[i], entry.sizes[i]);
  }
  return result;
}

TENON_RUNTIME std::string described(Header const& header, std::string_view name,
                                    Entry const& entry) {
  auto const dtype = entry.dtype->dtype.empty() ? entry.dtype->name : entry.dtype->dtype;
  if (entry.sizes.size() <= max_rank) {
    return quoted_spec(dtype, format(axes_of(header, name, entry)).view());
  }
  std::string spec;
  for (std::int64_t const size : entry.sizes) {
    spec.append(spec.empty() ? "" : " ").append(std::to_string(size));
  }
  return quoted_spec(dtype, spec);
}

TENON_RUNTIME Sizes sizes_of(Entry const& entry) {
  Sizes sizes = unit_sizes();
  for (std::size_t i = 0; i < entry.sizes.size(); ++i) sizes[i] = entry.sizes[i];
  return sizes;
}

TENON_RUNTIME bool fits(Shape const& wanted, Shape const& axes, Sizes const& sizes) {
  return assignable(wanted, axes) && mismatch_of(wanted, sizes) < 0;
}

}  // namespace tenon::internal::safetensors
