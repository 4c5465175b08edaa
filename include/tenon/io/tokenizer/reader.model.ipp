#pragma once

#include <algorithm>
#include <iterator>

#include <tenon/core/config.hpp>
#include <tenon/io/tokenizer/byte_alphabet.hpp>
#include <tenon/io/tokenizer/reader.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

/// The model is large: it is read without values of JSON in memory.
TENON_RUNTIME void TokenizerReader::read_model() {
  json_.object([&](std::string const& name) {
    if (!seen_.insert("model." + name).second)
      json_.refuse("every name once", "'" + name + "' again");
    read_model_part(name);
  });
}

TENON_RUNTIME void TokenizerReader::read_model_part(std::string const& name) {
  static constexpr std::string_view known[] = {"type",
                                               "dropout",
                                               "unk_token",
                                               "continuing_subword_prefix",
                                               "end_of_word_suffix",
                                               "fuse_unk",
                                               "byte_fallback",
                                               "ignore_merges"};
  if (name == "vocab") return read_vocabulary();
  if (name == "merges") return json_.array([&] { read_merge(); });
  if (std::ranges::find(known, name) == std::end(known))
    json_.refuse("a part of a model of BPE", "'" + name + "'");
  parts_.emplace("model." + name, parser_.read("model." + name));
}

TENON_RUNTIME void TokenizerReader::read_vocabulary() {
  json_.object([&](std::string const& token) {
    std::int64_t const id = json_.number();
    if (id > largest_id) json_.refuse("a number below 2^31", std::to_string(id));
    auto const number = static_cast<std::int32_t>(id);
    if (!to_.ids.emplace(token, number).second)
      json_.refuse("every token once", "'" + token + "' again");
    if (!to_.texts.try_emplace(number).second)
      json_.refuse("every number once", std::to_string(id) + " again");
  });
}

/// "a b", or ["a", "b"].
TENON_RUNTIME void TokenizerReader::read_merge() {
  std::vector<std::string> tokens;
  if (json_.next_character() == '[') {
    json_.array([&] { tokens.push_back(json_.string()); });
  } else {
    std::string const both = json_.string();
    std::size_t const space = both.find(' ');
    bool const are_two = space != both.npos && both.find(' ', space + 1) == both.npos;
    if (!are_two) json_.refuse("two tokens with a space between", "'" + both + "'");
    tokens = {both.substr(0, space), both.substr(space + 1)};
  }
  if (tokens.size() != 2) json_.refuse("two tokens", std::to_string(tokens.size()));
  merges_.emplace_back(tokens[0], tokens[1]);
}

TENON_RUNTIME void TokenizerReader::check_model() {
  for (std::string const name : {"", ".vocab", ".merges"}) {
    if (name.empty() ? !seen_.contains("model") : !seen_.contains("model" + name))
      refuse("model" + name, "a value", "none");
  }
  Value const* const type = part("model.type");
  if (type != nullptr && type->string() != "BPE") type->refuse("\"BPE\"");
  if (Value const* const dropout = part("model.dropout")) dropout->refuse("null");
  Value const* const fallback = part("model.byte_fallback");
  if (fallback != nullptr && fallback->boolean()) fallback->refuse("false");
  for (std::string const name : {"model.continuing_subword_prefix", "model.end_of_word_suffix"}) {
    Value const* const affix = part(name);
    if (affix != nullptr && !affix->string().empty()) affix->refuse("null or \"\"");
  }
  Value const* const ignores = part("model.ignore_merges");
  to_.pairs.ignores_merges = ignores != nullptr && ignores->boolean();
}

/// The bytes of all tokens: of those that spell none, as added ones may, the text.
TENON_RUNTIME void TokenizerReader::find_bytes() {
  for (auto const& [text, id] : to_.ids) {
    std::string bytes = bytes_spelled(text);
    if (!bytes.empty()) to_.pairs.ids.emplace(bytes, id);
    to_.texts[id].bytes = bytes.empty() ? text : bytes;
  }
  for (std::uint32_t const character : byte_characters()) {
    std::string text;
    append_utf8(text, character);
    std::int32_t const id = to_.find(text);
    if (id < 0) refuse("model.vocab", "a token for each byte, '" + text + "' among them", "none");
    to_.pairs.single.push_back(id);
  }
}

TENON_RUNTIME void TokenizerReader::add_merges() {
  if (merges_.size() > static_cast<std::size_t>(largest_id))
    refuse("model.merges", "less than 2^31 merges", std::to_string(merges_.size()));
  for (std::size_t rank = 0; rank < merges_.size(); ++rank) add_merge(rank);
}

/// Of equal merges the last one counts, as in the package tokenizers.
TENON_RUNTIME void TokenizerReader::add_merge(std::size_t rank) {
  auto const& [left, right] = merges_[rank];
  for (std::string const& token : {left, right, left + right}) {
    if (to_.find(token) < 0)
      refuse("model.merges." + std::to_string(rank), "tokens of the vocabulary", "'" + token + "'");
  }
  to_.pairs.merges[BytePairs::pair(to_.find(left), to_.find(right))] = {
      static_cast<std::int32_t>(rank), to_.find(left + right)};
}

}  // namespace tenon::internal
