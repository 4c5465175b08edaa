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
#include <tenon/io/tokenizer.ipp>
#endif
