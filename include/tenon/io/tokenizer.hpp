#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/tokenizer/data.hpp>

namespace tenon {

/// A tokenizer of a language model: byte-level BPE as in the `tokenizer.json` of GPT-2 and Llama 3,
/// with their pre-tokenizers, added tokens and the tokens that a template adds. Other parts
/// (normalizers, other regular expressions, truncation) are refused. Throws `FileError`. Python:
/// `tokenizers.Tokenizer.from_file`.
class Tokenizer {
 public:
  explicit Tokenizer(std::filesystem::path const& path);

  /// The same from the text of such a file; `name` is the file in messages.
  static Tokenizer from_text(std::string_view text, std::string_view name);

  /// The tokens of a text, which may have any bytes: those that are not UTF-8 count as characters
  /// that are neither letters, numbers nor white space. With `adds_special` those of the template
  /// too, such as `<|begin_of_text|>`. Python: `encode(text, add_special_tokens=…).ids`.
  std::vector<std::int32_t> encode(std::string_view text, bool adds_special = true) const;

  /// The bytes of tokens: UTF-8 if the tokens are complete characters. Special ones are left out
  /// unless `keeps_special`. Throws `IndexError` for a token that there is not. Python:
  /// `decode(ids, skip_special_tokens=…)`.
  std::string decode(std::span<std::int32_t const> tokens, bool keeps_special = false) const;

  /// The token of a text as the file has it, `<|eot_id|>`; -1 if there is none.
  std::int32_t find(std::string const& token) const { return data_.find(token); }

  /// The number of tokens.
  std::int64_t size() const { return static_cast<std::int64_t>(data_.texts.size()); }

 private:
  explicit Tokenizer(internal::TokenizerData data) : data_(std::move(data)) {}

  void encode_with(internal::AddedTokens const& added, std::string_view text, bool is_last_pass,
                   std::vector<std::int32_t>& to) const;
  void encode_words(std::string_view text, std::vector<std::int32_t>& to) const;

  internal::TokenizerData data_;
};

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/json/value.hpp>
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

#endif
