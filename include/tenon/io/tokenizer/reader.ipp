#pragma once

#include <algorithm>
#include <iterator>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/tokenizer/byte_alphabet.hpp>
#include <tenon/io/tokenizer/reader.hpp>

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

}  // namespace tenon::internal
