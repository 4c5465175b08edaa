#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/json/value.hpp>
#include <tenon/io/tokenizer/data.hpp>

namespace tenon::internal {

inline constexpr std::int64_t largest_id = (std::numeric_limits<std::int32_t>::max)();

/// Reads a `tokenizer.json`. What would tokenize otherwise than `Tokenizer` does is refused.
class TokenizerReader {
 public:
  TokenizerReader(std::string_view text, std::string_view where)
      : where_(where), json_(text, where, "file"), parser_(json_, where) {}

  TokenizerData read();

 private:
  using Value = tenon::json::Value;
  using Merges = std::vector<std::pair<std::string, std::string>>;

  void read_part(std::string const& name);
  void read_model();
  void read_model_part(std::string const& name);
  void read_vocabulary();
  void read_merge();

  void check_parts() const;
  void check_model();
  void add_merges();
  void add_merge(std::size_t rank);
  void find_bytes();
  void add_tokens();
  void add_token(Value const& value);
  void add_words(Value const& value, bool is_alone);
  void add_split(Value const& value);
  void add_byte_level(Value const& value);
  void add_template(Value const& value);
  void add_template_piece(Value const& piece, Value const& tokens, bool& is_after);

  /// A part of the file; null where there is none.
  Value const* part(std::string const& name) const;
  Value const& required(std::string const& name) const;

  [[noreturn]] void refuse(std::string const& what, std::string const& expected,
                           std::string const& got) const;

  TokenizerData to_{};
  std::string where_;
  json::Reader json_;
  json::Parser parser_;
  std::set<std::string> seen_{};
  std::map<std::string, Value> parts_{};
  Merges merges_{};
  bool has_words_ = false, has_byte_level_ = false, has_template_ = false;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <iterator>

#include <tenon/core/error.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

TENON_RUNTIME TokenizerData TokenizerReader::read() {
  json_.object([&](std::string const& name) { read_part(name); });
  json_.end();
  check_parts();
  check_model();
  find_bytes();
  add_merges();
  add_tokens();
  add_words(required("pre_tokenizer"), true);
  if (!has_words_) required("pre_tokenizer").refuse("a regular expression for words");
  if (!has_byte_level_) required("pre_tokenizer").refuse("ByteLevel at its end");
  if (Value const* const processor = part("post_processor")) add_template(*processor);
  return std::move(to_);
}

TENON_RUNTIME void TokenizerReader::read_part(std::string const& name) {
  static constexpr std::string_view known[] = {"version",        "truncation", "padding",
                                               "added_tokens",   "normalizer", "pre_tokenizer",
                                               "post_processor", "decoder"};
  if (!seen_.insert(name).second) json_.refuse("every name once", "'" + name + "' again");
  if (name == "model") return read_model();
  if (std::ranges::find(known, name) == std::end(known))
    json_.refuse("a part of tokenizer.json", "'" + name + "'");
  parts_.emplace(name, parser_.read(name));
}

TENON_RUNTIME void TokenizerReader::check_parts() const {
  for (std::string const name : {"truncation", "padding", "normalizer"}) {
    if (Value const* const found = part(name)) found->refuse("null");
  }
  Value const& decoder = required("decoder").at("type");
  if (decoder.string() != "ByteLevel") decoder.refuse("\"ByteLevel\"");
}

TENON_RUNTIME void TokenizerReader::add_tokens() {
  Value const* const all = part("added_tokens");
  if (all == nullptr) return;
  for (Value const& token : all->elements()) add_token(token);
}

TENON_RUNTIME void TokenizerReader::add_token(Value const& value) {
  auto const id = static_cast<std::int32_t>(value.at("id").integer(0, largest_id));
  std::string const& text = value.at("content").string();
  if (text.empty()) value.at("content").refuse("a text");
  for (std::string_view const name : {"single_word", "lstrip", "rstrip"}) {
    Value const* const found = value.find(name);
    if (found != nullptr && found->boolean()) found->refuse("false");
  }
  bool const is_special = value.at("special").boolean();
  Value const* const normalized = value.find("normalized");
  bool const is_second = normalized != nullptr ? normalized->boolean() : !is_special;
  auto const [place, is_new] = to_.ids.emplace(text, id);
  if (place->second != id)
    value.at("id").refuse(std::to_string(place->second) + ", the token of that text");
  if (is_new && to_.texts.contains(id)) value.at("id").refuse("a number that no token has");
  if (!seen_.insert("added." + text).second) value.at("content").refuse("every token once");
  std::string const bytes = bytes_spelled(text);
  to_.texts[id] = {bytes.empty() ? text : bytes, is_special};
  (is_second ? to_.second_added : to_.first_added).add({text, id});
}

TENON_RUNTIME void TokenizerReader::add_words(Value const& value, bool is_alone) {
  Value const& type = value.at("type");
  if (has_byte_level_) value.refuse("nothing after ByteLevel");
  if (type.string() == "ByteLevel") return add_byte_level(value);
  if (type.string() == "Split" && !is_alone) return add_split(value);
  if (type.string() != "Sequence" || !is_alone)
    type.refuse("\"ByteLevel\", or a \"Sequence\" of a \"Split\" and it");
  for (Value const& each : value.at("pretokenizers").elements()) add_words(each, false);
}

TENON_RUNTIME void TokenizerReader::add_split(Value const& value) {
  Value const& pattern = value.at("pattern").at("Regex");
  bool const is_llama3 = pattern.string() == llama3_pattern;
  if (!is_llama3 && pattern.string() != gpt2_pattern)
    pattern.refuse("the regular expression of GPT-2 or of Llama 3");
  if (value.at("behavior").string() != "Isolated") value.at("behavior").refuse("\"Isolated\"");
  if (Value const* const invert = value.find("invert"); invert != nullptr && invert->boolean())
    invert->refuse("false");
  if (std::exchange(has_words_, true)) value.refuse("one regular expression");
  to_.pattern = is_llama3 ? WordPattern::llama3 : WordPattern::gpt2;
}

TENON_RUNTIME void TokenizerReader::add_byte_level(Value const& value) {
  Value const* const regex = value.find("use_regex");
  bool const splits = regex == nullptr || regex->boolean();
  if (splits && has_words_) value.refuse("one regular expression");
  to_.adds_space = value.at("add_prefix_space").boolean();
  if (to_.adds_space && has_words_) value.at("add_prefix_space").refuse("false after a Split");
  has_words_ = has_words_ || splits;
  has_byte_level_ = true;
}

TENON_RUNTIME void TokenizerReader::add_template(Value const& value) {
  std::string const& type = value.at("type").string();
  if (type == "ByteLevel") return;  // it changes offsets only
  if (type == "Sequence") {
    for (Value const& each : value.at("processors").elements()) {
      if (each.at("type").string() == "Sequence") each.at("type").refuse("no Sequence in another");
      add_template(each);
    }
    return;
  }
  if (type != "TemplateProcessing")
    value.at("type").refuse("\"ByteLevel\", \"TemplateProcessing\" or a \"Sequence\" of them");
  if (std::exchange(has_template_, true)) value.refuse("one template");
  bool is_after = false;
  for (Value const& piece : value.at("single").elements())
    add_template_piece(piece, value.at("special_tokens"), is_after);
  if (!is_after) value.at("single").refuse("a Sequence A");
}

TENON_RUNTIME void TokenizerReader::add_template_piece(Value const& piece, Value const& tokens,
                                                       bool& is_after) {
  if (Value const* const sequence = piece.find("Sequence")) {
    bool const is_a = sequence->at("id").string() == "A";
    if (!is_a || std::exchange(is_after, true)) sequence->refuse("A, once");
    return;
  }
  std::string const& name = piece.at("SpecialToken").at("id").string();
  for (Value const& id : tokens.at(name).at("ids").elements()) {
    auto const token = static_cast<std::int32_t>(id.integer(0, largest_id));
    if (!to_.texts.contains(token)) id.refuse("a token");
    (is_after ? to_.after : to_.before).push_back(token);
  }
}

TENON_RUNTIME TokenizerReader::Value const* TokenizerReader::part(std::string const& name) const {
  auto const found = parts_.find(name);
  return found == parts_.end() || found->second.is_null() ? nullptr : &found->second;
}

TENON_RUNTIME TokenizerReader::Value const& TokenizerReader::required(
    std::string const& name) const {
  if (Value const* const found = part(name)) return *found;
  refuse(name, "a value", "none");
}

TENON_RUNTIME void TokenizerReader::refuse(std::string const& what, std::string const& expected,
                                           std::string const& got) const {
  fail<FileError>({"load", what, expected, escaped(got), where_});
}

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

#endif
