#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <tenon/train/config/text_checks.hpp>

namespace tenon::internal::training {

/// Bounds the depth of a document of TOML before it is parsed, as toml++ bounds that of arrays and
/// inline tables, but not the number of parts of a dotted key, each a table.
class TomlDepth {
 public:
  TomlDepth(std::string_view text, Source const& source) : text_(text), source_(source) {}

  void check() {
    while (at_ < text_.size()) {
      switch (text_[at_]) {
        case '"':
        case '\'':
          skip_string();
          continue;
        case '#':
          at_ = std::min(text_.find('\n', at_), text_.size());
          continue;
        default:
          count(text_[at_++]);
      }
      if (depth_ > deepest_value || dots_ >= deepest_value) refuse();
    }
  }

 private:
  /// Parts of a key are separated by dots; a number has one.
  void count(char c) {
    if (c == '[' || c == '{') ++depth_;
    if (c == ']' || c == '}') --depth_;
    if (c == '.') ++dots_;
    else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots_ = 0;
  }

  /// Strings in three quotes may have several lines.
  void skip_string() {
    char const quote = text_[at_];
    std::string_view const rest = text_.substr(at_);
    bool const is_long = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    std::size_t const marks = is_long ? 3 : 1;
    at_ += marks;
    while (at_ < text_.size() && !text_.substr(at_).starts_with(rest.substr(0, marks))) {
      if (!is_long && text_[at_] == '\n') return;
      at_ += quote == '"' && text_[at_] == '\\' ? 2u : 1u;
    }
    at_ = std::min(at_ + marks, text_.size());
  }

  [[noreturn]] void refuse() const {
    refuse_text(source_, line_at(text_, at_ - 1), "at most 64 values in each other", "deeper ones");
  }

  std::string_view text_;
  Source const& source_;
  std::size_t at_ = 0;
  int depth_ = 0, dots_ = 0;
};

}  // namespace tenon::internal::training
