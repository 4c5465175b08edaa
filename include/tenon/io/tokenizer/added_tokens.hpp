#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>

namespace tenon::internal {

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

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/tokenizer/added_tokens.ipp>
#endif
