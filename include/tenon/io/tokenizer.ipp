#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/json/value.hpp>
#include <tenon/io/tokenizer.hpp>
#include <tenon/io/tokenizer/reader.hpp>

namespace tenon {

TENON_RUNTIME Tokenizer::Tokenizer(std::filesystem::path const& path)
    : Tokenizer(from_text(InputFile(path).text(), path.string())) {}

TENON_RUNTIME Tokenizer Tokenizer::from_text(std::string_view text, std::string_view name) {
  internal::json::check_utf8(text, name);
  return Tokenizer(internal::TokenizerReader(text, name).read());
}

TENON_RUNTIME std::vector<std::int32_t> Tokenizer::encode(std::string_view text,
                                                          bool adds_special) const {
  std::vector<std::int32_t> tokens;
  if (adds_special) tokens = data_.before;
  encode_with(data_.first_added, text, false, tokens);
  if (adds_special) tokens.insert(tokens.end(), data_.after.begin(), data_.after.end());
  return tokens;
}

/// The text between added tokens goes to the second pass, then to the words.
TENON_RUNTIME void Tokenizer::encode_with(internal::AddedTokens const& added, std::string_view text,
                                          bool is_last_pass, std::vector<std::int32_t>& to) const {
  for (std::size_t at = 0; at < text.size();) {
    auto const match = added.find(text, at);
    std::string_view const between = text.substr(at, match.begin - at);
    if (is_last_pass) encode_words(between, to);
    else encode_with(data_.second_added, between, true, to);
    if (match.id >= 0) to.push_back(match.id);
    at = match.end;
  }
}

TENON_RUNTIME void Tokenizer::encode_words(std::string_view text,
                                           std::vector<std::int32_t>& to) const {
  std::string spaced;
  if (data_.adds_space && !text.empty() && text[0] != ' ') text = spaced = " " + std::string(text);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = internal::word_end(data_.pattern, text, at);
    data_.pairs.encode(text.substr(at, end - at), to);
    at = end;
  }
}

TENON_RUNTIME std::string Tokenizer::decode(std::span<std::int32_t const> tokens,
                                            bool keeps_special) const {
  std::string bytes;
  for (std::int32_t const token : tokens) {
    auto const found = data_.texts.find(token);
    if (found == data_.texts.end())
      internal::fail<IndexError>({"Tokenizer", "decode", "a token", std::to_string(token), {}});
    if (keeps_special || !found->second.is_special) bytes += found->second.bytes;
  }
  return bytes;
}

}  // namespace tenon
