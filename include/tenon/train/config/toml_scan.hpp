#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/train/config/number.hpp>
#include <tenon/train/config/text_checks.hpp>

namespace tenon::internal::training {

/// Checks a document of TOML before it is parsed. toml++ bounds the depth of arrays and inline
/// tables, but not the number of parts of a dotted key, each a table. toml++ 3.3 only asserts that
/// the header of a table begins with a key and that brackets fit, and runs into undefined behaviour
/// where it looks for white space and finds some characters that are not ASCII, 'ö' for one, which
/// a string within a value, `1="ö"`, may have as well. Dates and times, which it asserts parts of,
/// are values of no field. It makes 0 of 1e-400.
class TomlScan {
 public:
  TomlScan(std::string_view text, Source const& source)
      : text_(text), source_(source), at_(text.starts_with("\xef\xbb\xbf") ? 3 : 0) {}

  void check() {
    while (at_ < text_.size()) {
      char const c = text_[at_];
      if (c == '[' && open_.empty() && begins_line_) check_header();
      begins_line_ = c == '\n' || (begins_line_ && (c == ' ' || c == '\t'));
      if (!is_ascii(c)) refuse("valid TOML", "a character outside of strings that is not ASCII");
      if (c == '"' || c == '\'') skip_string();
      else if (c == '#') at_ = (std::min)(text_.find('\n', at_), text_.size());
      else count_next();
      if (open_.size() > deepest_value || dots_ >= deepest_value)
        refuse("at most 64 values in each other", "deeper ones");
    }
  }

 private:
  static constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

  void check_header() const {
    std::size_t const brackets = text_.substr(at_).starts_with("[[") ? 2 : 1;
    std::size_t const key = text_.find_first_not_of(" \t", at_ + brackets);
    if (key != text_.npos && !may_begin_key(text_[key]))
      refuse("valid TOML", "the header of a table that begins with no key");
  }

  /// A closing bracket and the end of the text are errors of the parser.
  static constexpr bool may_begin_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '"' || c == '\'' || c == ']';
  }

  /// Years have four digits and a dash, times have colons; no key of a field has them.
  void count_next() {
    char const c = text_[at_];
    if (c == ':' || (c == '-' && digits_ == 4)) refuse("no dates and times", "one");
    digits_ = c >= '0' && c <= '9' ? digits_ + 1 : 0;
    check_number();
    count(c);
    ++at_;
  }

  /// At the beginning of a number; `0x1e9` and a key, `1e9 = 2`, are none.
  void check_number() const {
    constexpr std::string_view before = " \t\r\n=[,{", word = "0123456789eE_.+-";
    if (at_ > 0 && before.find(text_[at_ - 1]) == before.npos) return;
    check_date();
    std::size_t const end = (std::min)(text_.find_first_not_of(word, at_), text_.size());
    std::size_t const next = (std::min)(text_.find_first_not_of(" \t", end), text_.size());
    if (text_.substr(next).starts_with('=')) return;
    bool const has_sign = text_[at_] == '-' || text_[at_] == '+';
    std::string number(text_.substr(at_, end - at_).substr(has_sign ? 1 : 0));
    std::erase(number, '_');
    if (!is_finite_decimal(number)) return;
    auto const value = parse_double(number);
    if (!value || (*value == 0 && !is_zero(number)))
      refuse("numbers in the range of float64", excerpt(number));
  }

  /// toml++ 3.3 reads ten characters with dashes where a date has them, as `1aaa-aa-aa`, a space
  /// and a digit as the beginning of a date and a time, and asserts that more follow.
  void check_date() const {
    std::size_t const end = (std::min)(text_.find_first_of(" \t\r\n,]}#", at_), text_.size());
    std::string date(text_.substr(at_, end - at_));
    std::erase(date, '_');
    constexpr std::string_view digit = "0123456789";
    if (date.size() == 10 && date.find_first_of(digit) == 0 && date[4] == '-' && date[7] == '-' &&
        text_.find_first_of(digit, end) == end + 1)
      refuse("no dates and times", "one");
  }

  /// Parts of a key are separated by dots; a number has one.
  void count(char c) {
    if (c == '[' || c == '{') open(c);
    if (c == ']' || c == '}') close(c);
    if (c == '=') assign();
    if (is_before_key(c)) is_value_ = false;
    if (c == '.') ++dots_;
    else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots_ = 0;
  }

  bool is_before_key(char c) const {
    return c == '{' || (c == '\n' && open_.empty()) || (c == ',' && open_.ends_with('{'));
  }

  void open(char c) {
    if (!begins_word()) refuse("valid TOML", std::string("a ") + c + " within a value");
    open_ += c;
  }

  void close(char c) {
    if (open_.empty() || open_.back() != (c == ']' ? '[' : '{'))
      refuse("valid TOML", std::string("a ") + c + " that closes nothing");
    open_.pop_back();
    is_value_ = true;
  }

  void assign() {
    if (is_value_) refuse("valid TOML", "a '=' within a value");
    is_value_ = true;
  }

  /// After white space, a separator, a bracket or the mark at the beginning of a text.
  bool begins_word() const {
    return at_ == 0 || std::string_view(" \t\n\r=,[{\xbf").find(text_[at_ - 1]) != text_.npos;
  }

  /// Strings in three quotes may have several lines, and end in one or two quotes more.
  void skip_string() {
    char const quote = text_[at_];
    if (!begins_word() && (is_value_ || text_[at_ - 1] != '.'))
      refuse("valid TOML", "a quote within a value");
    std::string_view const rest = text_.substr(at_);
    bool const is_long = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    std::size_t const marks = is_long ? 3 : 1;
    at_ += marks;
    while (at_ < text_.size() && !text_.substr(at_).starts_with(rest.substr(0, marks))) {
      if (!is_long && text_[at_] == '\n') return;
      if (quote == '"' && text_[at_] == '\\') skip_escape();
      else ++at_;
    }
    at_ += marks;
    for (int i = 0; is_long && i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) ++at_;
    at_ = (std::min)(at_, text_.size());
  }

  /// A backslash at the end of a line continues the string after the white space that follows.
  void skip_escape() {
    std::size_t const next = (std::min)(text_.find_first_not_of(" \t\r\n", at_ + 1), text_.size());
    if (next < text_.size() && !is_ascii(text_[next]))
      refuse("valid TOML", "a character that is not ASCII after a backslash");
    at_ = (std::max)(at_ + 2, next);
  }

  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const {
    refuse_text(source_, line_at(text_, at_), expected, got);
  }

  std::string_view text_;
  Source const& source_;
  std::size_t at_;
  std::string open_{};  ///< Brackets.
  std::size_t dots_ = 0, digits_ = 0;
  bool begins_line_ = true;
  bool is_value_ = false;  ///< After the '=' of a key, or a bracket that closes.
};

}  // namespace tenon::internal::training
