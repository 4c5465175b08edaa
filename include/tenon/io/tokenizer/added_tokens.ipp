#pragma once

#include <algorithm>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/tokenizer/added_tokens.hpp>

namespace tenon::internal {

TENON_RUNTIME void AddedTokens::add(AddedToken token) {
  auto& same = by_first_byte_[static_cast<unsigned char>(token.text[0])];
  auto const is_shorter = [&](AddedToken const& other) {
    return other.text.size() < token.text.size();
  };
  same.insert(std::ranges::find_if(same, is_shorter), std::move(token));
}

TENON_RUNTIME AddedTokens::Match AddedTokens::find(std::string_view text, std::size_t from) const {
  for (std::size_t at = from; at < text.size(); ++at) {
    for (AddedToken const& token : by_first_byte_[static_cast<unsigned char>(text[at])]) {
      if (text.substr(at).starts_with(token.text)) return {at, at + token.text.size(), token.id};
    }
  }
  return {text.size(), text.size(), -1};
}

}  // namespace tenon::internal
