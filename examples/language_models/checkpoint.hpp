#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/io/json/value.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

namespace language_models {

using namespace tenon;

/// The checkpoint in a folder of Hugging Face: one file, or the index of several.
inline std::filesystem::path checkpoint_in(std::filesystem::path const& folder) {
  auto const index = folder / "model.safetensors.index.json";
  return std::filesystem::exists(index) ? index : folder / "model.safetensors";
}

/// The words of paths that a checkpoint spells differently.
using Spelling = std::vector<std::pair<std::string_view, std::string_view>>;

/// A path with each of its words as a checkpoint spells it: "blocks.0.norm" gives "h.0.ln_1".
inline std::string spelled(std::string_view path, Spelling const& spelling) {
  std::string result;
  while (true) {
    auto const word = path.substr(0, path.find('.'));
    auto const found = std::ranges::find(spelling, word, &Spelling::value_type::first);
    result += found == spelling.end() ? word : found->second;
    if (word.size() == path.size()) return result;
    result += '.';
    path.remove_prefix(word.size() + 1);
  }
}

/// A size of config.json, as small as a size can be.
inline std::int64_t size_in(json::Value const& config, std::string_view name) {
  return config.at(name).integer(1, std::int64_t{1} << 31);
}

/// Compares a size of config.json with the weights.
inline void check_size(json::Value const& config, std::string_view name, std::int64_t size) {
  if (size_in(config, name) != size)
    config.at(name).refuse(std::to_string(size) + ", as in the weights");
}

/// The same for a number of heads, each of which has `features` features.
inline void check_multiple(json::Value const& config, std::string_view name, std::int64_t size,
                           std::int64_t features) {
  if (size_in(config, name) * features != size)
    config.at(name).refuse(std::to_string(size) + " / " + std::to_string(features) +
                           ", as in the weights");
}

/// Whether the table of words is the matrix of the scores too.
inline bool ties_words(json::Value const& config) {
  auto const* const ties = config.find("tie_word_embeddings");
  return ties != nullptr && ties->boolean();
}

inline void check_head(json::Value const& config, bool has_head) {
  if (!has_head && !ties_words(config))
    config.at("tie_word_embeddings").refuse("true, as there is no lm_head.weight");
}

/// The tokens at which a text ends: none, one or several.
inline std::vector<std::int32_t> ends_in(json::Value const& config) {
  std::vector<std::int32_t> ends;
  auto const* const found = config.find("eos_token_id");
  auto const add = [&](json::Value const& token) {
    ends.push_back(static_cast<std::int32_t>(token.integer(0, 1 << 30)));
  };
  if (found == nullptr) return ends;
  if (!found->is_array()) return add(*found), ends;
  for (json::Value const& token : found->elements()) add(token);
  return ends;
}

/// Refuses a setting that the model does not have.
inline void check_setting(json::Value const& config, std::string_view name, bool supported) {
  auto const* const found = config.find(name);
  if (found != nullptr && found->boolean() != supported)
    found->refuse(supported ? "true" : "false");
}

inline void check_word(json::Value const& config, std::string_view name, std::string_view word) {
  if (config.at(name).string() != word) config.at(name).refuse("\"" + std::string(word) + "\"");
}

}  // namespace language_models
