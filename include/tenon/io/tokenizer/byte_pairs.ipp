#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <tuple>

#include <tenon/core/config.hpp>
#include <tenon/io/tokenizer/byte_pairs.hpp>

namespace tenon::internal {

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

}  // namespace tenon::internal
