#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/train/config/field.hpp>

namespace tenon::internal::training {

/// The least number of insertions, deletions and replacements of characters that turn one name into
/// another (Levenshtein's distance).
inline std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < to.size(); ++k) {
      std::size_t const replaced = diagonal + (from[i] == to[k] ? 0 : 1);
      diagonal = std::exchange(row[k + 1], std::min({row[k] + 1, row[k + 1] + 1, replaced}));
    }
  }
  return row.back();
}

/// "; did you mean 'training.steps'?" for the nearest of the names, or nothing where none is near.
inline std::string nearest_of(std::string_view name, std::vector<std::string> const& names) {
  std::string const* nearest = nullptr;
  std::size_t least = 1 + (name.size() + 2) / 3;
  for (std::string const& known : names) {
    std::size_t const distance = name.size() > 200 ? least : edit_distance(name, known);
    if (distance < least) nearest = &known, least = distance;
  }
  return nearest == nullptr ? std::string() : "; did you mean '" + *nearest + "'?";
}

/// The same of the keys of fields and their short names.
inline std::string nearest_key(std::string_view key, std::vector<ConfigField> const& fields) {
  std::vector<std::string> names;
  names.reserve(2 * fields.size());
  for (ConfigField const& field : fields) {
    names.push_back(field.key);
    if (!field.note.short_name.empty()) names.emplace_back(field.note.short_name);
  }
  return nearest_of(key, names);
}

}  // namespace tenon::internal::training
