#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/tokenizer/words.hpp>

namespace tenon::internal {

/// The bytes that a text in the alphabet of files spells, GPT-2's `bytes_to_unicode`. Empty if it
/// has another character.
std::string bytes_spelled(std::string_view text);

/// Byte pair encoding: a word is its bytes, of which neighbours are merged as long as there is a
/// merge for them, that of the lowest rank first, the leftmost of equal ones. R. Sennrich et al.,
/// "Neural machine translation of rare words with subword units", 2016.
class BytePairs {
 public:
  using Id = std::int32_t;

  struct Merge {
    std::int32_t rank = 0;
    Id id = 0;
  };

  /// Appends the tokens of a word.
  void encode(std::string_view word, std::vector<Id>& to) const;

  /// The token of these bytes; -1 if there is none.
  Id find(std::string const& bytes) const;

  Merge const* merge_of(Id left, Id right) const;

  std::unordered_map<std::string, Id> ids{};  ///< By their bytes: at least all single ones.
  std::unordered_map<std::uint64_t, Merge> merges{};
  std::vector<Id> single{};     ///< The tokens of the 256 bytes.
  bool ignores_merges = false;  ///< A word that is a token needs no merges.

  static std::uint64_t pair(Id left, Id right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
  }
};

/// A token that is matched literally in a text, such as `<|endoftext|>`. Python: `AddedToken`.
struct AddedToken {
  std::string text{};
  std::int32_t id = 0;
  bool is_special = false;
};

/// Added tokens that are looked for together: the leftmost in a text, the longest of those.
class AddedTokens {
 public:
  struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int32_t id = -1;  ///< -1: there is none.
  };

  void add(AddedToken token);

  Match find(std::string_view text, std::size_t from) const;

 private:
  std::array<std::vector<AddedToken>, 256> by_first_byte_{};  // the longest first
};

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

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include <tenon/io/utf8.hpp>

namespace tenon::internal {

/// The characters by which files spell bytes (GPT-2's `bytes_to_unicode`): visible characters of
/// Latin-1 are themselves, the other 68 bytes are U+0100 and those after it.
constexpr std::array<std::uint32_t, 256> byte_characters() {
  std::array<std::uint32_t, 256> characters{};
  std::uint32_t next = 0x100;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    bool const is_visible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
    characters[byte] = is_visible ? byte : next++;
  }
  return characters;
}

/// The byte of each character below U+0144; -1 for the others.
constexpr std::array<std::int16_t, 0x144> bytes_of_characters() {
  std::array<std::int16_t, 0x144> bytes{};
  for (auto& byte : bytes) byte = -1;
  auto const characters = byte_characters();
  for (std::size_t i = 0; i < 256; ++i) bytes[characters[i]] = static_cast<std::int16_t>(i);
  return bytes;
}

TENON_RUNTIME std::string bytes_spelled(std::string_view text) {
  static constexpr auto bytes = bytes_of_characters();
  std::string result;
  while (!text.empty()) {
    std::size_t const length = utf8_length(text);
    if (length == 0) return {};
    std::uint32_t const code = utf8_code(text, length);
    if (code >= bytes.size() || bytes[code] < 0) return {};
    result += static_cast<char>(bytes[code]);
    text.remove_prefix(length);
  }
  return result;
}

TENON_RUNTIME BytePairs::Id BytePairs::find(std::string const& bytes) const {
  auto const found = ids.find(bytes);
  return found == ids.end() ? -1 : found->second;
}

TENON_RUNTIME BytePairs::Merge const* BytePairs::merge_of(Id left, Id right) const {
  auto const found = merges.find(pair(left, right));
  return found == merges.end() ? nullptr : &found->second;
}

/// The tokens of one word while they are merged: a list, and a queue of the possible merges. Takes
/// n log n steps for n bytes.
class WordInMerging {
 public:
  using Id = BytePairs::Id;

  WordInMerging(BytePairs const& pairs, std::string_view word) : pairs_(pairs) {
    for (std::size_t i = 0; i < word.size(); ++i) {
      tokens_.push_back({pairs.single[static_cast<unsigned char>(word[i])], i + 1});
      before_.push_back(i - 1);
    }
    for (std::size_t i = 0; i + 1 < word.size(); ++i) propose(i);
  }

  void merge() {
    while (!queue_.empty()) {
      auto const [rank, at, id] = queue_.top();
      queue_.pop();
      if (is_current(at, id)) apply(at, id);
    }
  }

  void append(std::vector<Id>& to) const {
    for (std::size_t i = 0; i < tokens_.size(); i = tokens_[i].next) to.push_back(tokens_[i].id);
  }

 private:
  struct Token {
    Id id;             // -1: part of the one before it
    std::size_t next;  // the number of bytes at the end
  };
  using Proposal = std::tuple<std::int32_t, std::size_t, Id>;  // rank, position, result

  void propose(std::size_t at) {
    if (at >= tokens_.size() || tokens_[at].next >= tokens_.size()) return;
    auto const* const merge = pairs_.merge_of(tokens_[at].id, tokens_[tokens_[at].next].id);
    if (merge != nullptr) queue_.emplace(merge->rank, at, merge->id);
  }

  /// Whether the two tokens of a proposal are still there.
  bool is_current(std::size_t at, Id id) const {
    Token const& token = tokens_[at];
    if (token.id < 0 || token.next >= tokens_.size()) return false;
    auto const* const merge = pairs_.merge_of(token.id, tokens_[token.next].id);
    return merge != nullptr && merge->id == id;
  }

  void apply(std::size_t at, Id id) {
    std::size_t const merged = tokens_[at].next;
    tokens_[at] = {id, tokens_[merged].next};
    tokens_[merged].id = -1;
    if (tokens_[at].next < tokens_.size()) before_[tokens_[at].next] = at;
    propose(before_[at]);
    propose(at);
  }

  BytePairs const& pairs_;
  std::vector<Token> tokens_{};
  std::vector<std::size_t> before_{};  // of the first token: beyond the end
  std::priority_queue<Proposal, std::vector<Proposal>, std::greater<>> queue_{};
};

TENON_RUNTIME void BytePairs::encode(std::string_view word, std::vector<Id>& to) const {
  if (word.size() == 1) return to.push_back(single[static_cast<unsigned char>(word[0])]);
  if (Id const id = ignores_merges ? find(std::string(word)) : -1; id >= 0) return to.push_back(id);
  WordInMerging merging(*this, word);
  merging.merge();
  merging.append(to);
}

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

#endif
