#pragma once

#include <cstddef>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The regular expressions by which pre-tokenizers split a text into words.
enum class WordPattern { gpt2, llama3 };

inline constexpr std::string_view gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view llama3_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// The end of the word that begins at a position of a text, by a pattern.
std::size_t word_end(WordPattern pattern, std::string_view text, std::size_t at);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/tokenizer/words.ipp>
#endif
