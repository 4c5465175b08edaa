#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenon/core/config.hpp>

namespace tenon::internal {

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

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/tokenizer/byte_pairs.ipp>
#endif
