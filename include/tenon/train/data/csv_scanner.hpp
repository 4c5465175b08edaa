#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/train/data/csv_value.hpp>

namespace tenon::internal::csv {

/// A character in a message.
inline std::string character_text(char c) { return "'" + escaped(std::string_view(&c, 1)) + "'"; }

/// Divides a text into records and cells, by RFC 4180: cells may be quoted, then quotes in them are
/// doubled; lines end with LF or CR LF. Empty lines are skipped.
class Scanner {
 public:
  /// The text must outlive the scanner.
  Scanner(std::string_view text, char separator, Place place)
      : text_(text), separator_(separator), place_(std::move(place)) {}

  Place const& place() const { return place_; }

  /// The line of the next character, from 1.
  std::int64_t line() const { return line_; }

  /// Sets the cells of the next record, valid until the next call; stops behind `most`. False at
  /// the end of the text. Throws `FileError`.
  bool next(std::vector<Cell>& cells, std::size_t most) {
    while (accept_line_end()) continue;
    cells.clear();
    unescaped_.clear();
    if (at_ == text_.size()) return false;
    do {
      cells.push_back(peek() == '"' ? quoted_cell() : plain_cell());
      if (cells.size() > most) return true;
    } while (accept(separator_));
    expect_line_end();
    return true;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  bool accept(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  bool accept_line_end() {
    if (peek() == '\r' && peek(1) == '\n') ++at_;
    if (!accept('\n')) return false;
    ++line_;
    return true;
  }

  void expect_line_end() {
    if (at_ == text_.size() || accept_line_end()) return;
    if (peek() == '"')
      place_.refuse(line_, {}, "quotes around a whole field", "one within a field");
    if (peek() == '\r') place_.refuse(line_, {}, "CR LF or LF at the end of a line", "CR alone");
    place_.refuse(line_, {}, "a separator or the end of the line after a quoted field",
                  character_text(peek()));
  }

  Cell plain_cell() {
    std::size_t const begin = at_;
    while (at_ < text_.size() && !ends_plain(text_[at_])) ++at_;
    return {text_.substr(begin, at_ - begin), false, line_};
  }

  bool ends_plain(char c) const { return c == separator_ || c == '\n' || c == '\r' || c == '"'; }

  Cell quoted_cell() {
    std::int64_t const line = line_;
    std::size_t const begin = ++at_;
    bool has_quotes = false;
    while (skip_to_quote(line) && accept('"')) has_quotes = true;
    std::string_view const inner = text_.substr(begin, at_ - 1 - begin);
    return {has_quotes ? unescape(inner) : inner, true, line};
  }

  /// Skips all up to the next quote, and the quote.
  bool skip_to_quote(std::int64_t first_line) {
    std::size_t const quote = text_.find('"', at_);
    if (quote == text_.npos)
      place_.refuse(first_line, {}, "a quote at the end of a quoted field", "the end of the file");
    std::string_view const skipped = text_.substr(at_, quote - at_);
    line_ += std::count(skipped.begin(), skipped.end(), '\n');
    at_ = quote + 1;
    return true;
  }

  std::string_view unescape(std::string_view inner) {
    std::string& text = unescaped_.emplace_back();
    text.reserve(inner.size());
    for (std::size_t i = 0; i < inner.size(); ++i) {
      text += inner[i];
      if (inner[i] == '"') ++i;
    }
    return text;
  }

  std::string_view text_;
  char separator_;
  Place place_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::deque<std::string> unescaped_{};  // addresses of its elements are stable
};

}  // namespace tenon::internal::csv
