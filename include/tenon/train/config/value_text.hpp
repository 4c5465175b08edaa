#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <tenon/core/error.hpp>
#include <tenon/io/utf8.hpp>
#include <tenon/train/config/number.hpp>
#include <tenon/train/config/words.hpp>

namespace tenon::internal::training {

/// How a format writes values on one line.
struct ValueStyle {
  std::string_view who;
  std::string_view assign;    ///< Between a key and its value.
  std::string_view infinity;  ///< Without a sign.
  std::string_view nan;
  bool has_unsigned;  ///< Whether integers above those of int64 are integers.
};

inline constexpr ValueStyle toml_style{"to_toml", " = ", "inf", "nan", false};
inline constexpr ValueStyle yaml_style{"to_yaml", ": ", ".inf", ".nan", true};

/// Control characters (C0, DEL, C1), separators of lines and the mark of byte order.
constexpr bool is_escaped(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         code == 0xfeff;
}

inline std::string escape_of(std::uint32_t code) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) text += digits[code >> shift & 15u];
  return text;
}

/// A string between double quotes, in the escapes that TOML and YAML share. It must be UTF-8.
inline std::string quoted(std::string_view text, ValueStyle const& style) {
  if (!is_utf8(text))
    fail<tenon::training::ConfigError>({.who = style.who,
                                        .what = excerpt(text),
                                        .expected = "a string in UTF-8",
                                        .got = "other bytes"});
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const bytes = utf8_length(text.substr(at));
    auto const code = utf8_code(text.substr(at), bytes);
    if (code == '"' || code == '\\') result += '\\';
    if (is_escaped(code)) result += escape_of(code);
    else result += text.substr(at, bytes);
    at += bytes;
  }
  return result + "\"";
}

/// A key: bare where it consists of letters, digits, `_` and `-`.
inline std::string key_text(std::string_view key, ValueStyle const& style) {
  constexpr std::string_view bare =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return key.find_first_not_of(bare) == key.npos ? std::string(key) : quoted(key, style);
}

inline std::string value_text(Value const& value, ValueStyle const& style);

inline std::string value_text(Null const&, ValueStyle const&) { return "null"; }
inline std::string value_text(bool x, ValueStyle const&) { return x ? "true" : "false"; }
inline std::string value_text(std::int64_t x, ValueStyle const&) { return std::to_string(x); }
inline std::string value_text(std::uint64_t x, ValueStyle const& style) {
  return style.has_unsigned ? std::to_string(x) : "\"" + std::to_string(x) + "\"";
}
inline std::string value_text(Floating const& x, ValueStyle const& style) {
  if (std::isnan(x.value)) return std::string(style.nan);
  if (std::isinf(x.value)) return (x.value < 0 ? "-" : "") + std::string(style.infinity);
  return floating_text(x.value, x.is_single);
}
inline std::string value_text(std::string const& x, ValueStyle const& style) {
  return quoted(x, style);
}
inline std::string value_text(Plain const& x, ValueStyle const&) { return x.text; }

inline std::string value_text(Value::List const& list, ValueStyle const& style) {
  std::string text;
  for (Value const& value : list) text += (text.empty() ? "" : ", ") + value_text(value, style);
  return "[" + text + "]";
}

inline std::string value_text(Value::Table const& table, ValueStyle const& style) {
  std::string text;
  for (Entry const& entry : table) {
    text += text.empty() ? "" : ", ";
    text.append(key_text(entry.key, style)).append(style.assign);
    text += value_text(entry.value, style);
  }
  return "{" + text + "}";
}

/// A value on one line.
inline std::string value_text(Value const& value, ValueStyle const& style) {
  return std::visit([&](auto const& x) { return value_text(x, style); }, value.data);
}

}  // namespace tenon::internal::training
