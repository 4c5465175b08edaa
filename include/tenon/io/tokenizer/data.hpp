#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <tenon/io/tokenizer/added_tokens.hpp>
#include <tenon/io/tokenizer/byte_pairs.hpp>
#include <tenon/io/tokenizer/words.hpp>

namespace tenon::internal {

/// The contents of a `tokenizer.json`.
struct TokenizerData {
  struct Text {
    std::string bytes{};
    bool is_special = false;
  };

  BytePairs pairs{};
  WordPattern pattern = WordPattern::gpt2;
  bool adds_space = false;                      ///< Before a text that does not begin with one.
  AddedTokens first_added{}, second_added{};    ///< Found before and after normalization.
  std::vector<std::int32_t> before{}, after{};  ///< What the template adds.
  std::unordered_map<std::int32_t, Text> texts{};
  std::unordered_map<std::string, std::int32_t> ids{};  ///< As spelled in the file.

  /// -1 if there is none.
  std::int32_t find(std::string const& token) const {
    auto const found = ids.find(token);
    return found == ids.end() ? -1 : found->second;
  }
};

}  // namespace tenon::internal
