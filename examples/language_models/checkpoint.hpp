#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

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
using Spelling = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// A path with each of its words as a checkpoint spells it: "blocks.0.norm" gives "h.0.ln_1".
inline std::string spelled(std::string_view path, Spelling const& spelling) {
  std::string result;
  while (true) {
    auto const word = path.substr(0, path.find('.'));
    auto const* found = spelling.begin();
    while (found != spelling.end() && found->first != word) ++found;
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

/// The token at which a text ends; -1 if there is none.
inline std::int32_t end_in(json::Value const& config) {
  auto const* const end = config.find("eos_token_id");
  return end == nullptr ? -1 : static_cast<std::int32_t>(end->integer(0, 1 << 30));
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
