#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/language/word.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// What one word of a spec or of an annotation denotes.
enum class TokenKind {
  size,        ///< `28`
  name,        ///< `batch`, `batch=32`, `batch=1..64`, `t=t-1`, `t=_`
  any,         ///< `_`, `_doc`
  ellipsis,    ///< `...`
  expression,  ///< `n+1`
};

/// One parsed word of a spec. The views refer to the spec.
struct SpecToken {
  std::string_view word{};        ///< As it was written, modifiers included.
  std::string_view name{};        ///< Of a name: `batch`; of `_doc`: `_doc`.
  std::string_view expression{};  ///< The text of a computed size, its syntax not yet checked.
  std::string_view mesh{};        ///< `dp` of `n@dp`.
  TokenKind kind = TokenKind::any;
  bool star = false;      ///< `*n`: zero or more axes
  bool plus = false;      ///< `+n`: one or more axes
  bool hash = false;      ///< `#n`: may be 1
  bool question = false;  ///< `?n`: per leaf of a tree
  std::int64_t size = dynamic;
  std::int64_t lower = 0;
  std::int64_t upper = unbounded;
  /// The reason why the word is malformed; empty if it is not. At most 36 characters, without
  /// quotes: clang 16 prints no more of a template argument, and both compilers escape quotes.
  std::string_view mistake{};

  constexpr bool is_variadic() const { return star || plus || kind == TokenKind::ellipsis; }
  constexpr bool has_modifier() const { return is_variadic() || hash || question; }
  constexpr bool has_bounds() const { return lower != 0 || upper != unbounded; }
  constexpr bool has_size() const { return size != dynamic || has_bounds() || !expression.empty(); }
};

constexpr SpecToken refused(SpecToken const& token, std::string_view why) {
  SpecToken result = token;
  result.mistake = why;
  return result;
}

/// The flag of a token that a modifier sets.
constexpr bool* modifier_of(SpecToken& token, char c) {
  switch (c) {
    case '*':
      return &token.star;
    case '+':
      return &token.plus;
    case '#':
      return &token.hash;
    case '?':
      return &token.question;
    default:
      return nullptr;
  }
}

/// Parses the modifiers `* + # ?` at the front of a word and returns the rest.
constexpr std::string_view read_modifiers(SpecToken& token, std::string_view rest) {
  while (!rest.empty()) {
    bool* const flag = modifier_of(token, rest[0]);
    if (flag == nullptr) break;
    if (*flag) token.mistake = "the same modifier stands twice";
    *flag = true;
    rest.remove_prefix(1);
  }
  if (token.star && token.plus) token.mistake = "* and + exclude each other";
  return rest;
}

/// Parses `1..64`, `1..` or `..64` after the lower bound.
constexpr SpecToken read_upper(SpecToken const& token, std::string_view low,
                               std::string_view rest) {
  if (!rest.starts_with("..")) return refused(token, "= takes a size or bounds");
  rest.remove_prefix(2);
  if (leading_digits(rest).size() != rest.size()) return refused(token, "a bound is a number");
  if (number_of(rest) < 0) return refused(token, "a size is too large");
  if (low.empty() && rest.empty()) return refused(token, "one bound must be given");
  SpecToken result = token;
  result.lower = number_of(low);
  result.upper = rest.empty() ? unbounded : number_of(rest);
  if (result.lower > result.upper) return refused(token, "the lower bound is above the upper");
  return result;
}

/// The error for a character that is not allowed in an expression.
constexpr std::string_view stray_mistake(char c) {
  switch (c) {
    case '#':
      return "a stray #: it stands before a name";
    case '?':
      return "a stray ?: it stands before a name";
    case '=':
      return "= must follow a name";
    case '@':
      return "sharded axes belong to Sharded";
    case '.':
      return "a stray dot: bounds are n=1..64";
    case '>':
      return "an arrow belongs to a pattern";
    case '{':
      return "as many {} as values in spec(...)";
    default:
      return "an unknown character";
  }
}

/// The reason why a character is not allowed in an expression; empty where it is.
constexpr std::string_view mistake_of(char c, bool inside_parentheses) {
  bool const known = std::string_view("()+-*/%").find(c) != std::string_view::npos;
  if (known || is_letter(c) || is_digit(c)) return {};
  if (c != ',') return stray_mistake(c);
  return inside_parentheses ? "" : "a comma: separate axes by spaces";
}

/// The reason why a character of an expression is not allowed; empty where all are.
constexpr std::string_view stray_characters(std::string_view text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (auto const why = mistake_of(c, depth > 0); !why.empty()) return why;
  }
  return {};
}

/// Scans an expression; its syntax is checked when it is normalised.
constexpr SpecToken read_expression(SpecToken const& token, std::string_view rest) {
  SpecToken result = token;
  result.kind = TokenKind::expression;
  result.expression = rest;
  return refused(result, stray_characters(rest));
}

/// Parses what follows `name=`: a size, bounds, an expression in names or `_`.
constexpr SpecToken read_size(SpecToken const& token, std::string_view rest) {
  if (token.kind == TokenKind::any) return refused(token, "_ is of any size: = cannot follow");
  if (rest.empty()) return refused(token, "a size or bounds must follow =");
  std::string_view const low = leading_digits(rest), tail = rest.substr(low.size());
  if (number_of(low) < 0) return refused(token, "a size is too large");
  if (tail.starts_with(".")) return read_upper(token, low, tail);
  SpecToken result = token;
  if (tail.empty()) {
    result.size = number_of(low);
    return result;
  }
  if (low.empty() && rest[0] == '-' && !leading_digits(rest.substr(1)).empty())
    return refused(token, "a size cannot be negative");
  result.expression = rest;
  return refused(result, stray_characters(rest));
}

constexpr SpecToken read_mesh(SpecToken const& token, std::string_view rest) {
  SpecToken result = token;
  result.mesh = rest;
  bool const named = is_name(rest);
  return refused(result, named ? "sharded axes belong to Sharded" : "a mesh axis must follow @");
}

/// Parses a word that begins with a name.
constexpr SpecToken read_named(SpecToken const& token, std::string_view rest) {
  SpecToken result = token;
  result.name = leading_name(rest);
  result.kind = rest[0] == '_' ? TokenKind::any : TokenKind::name;
  if (result.name.size() > FixedText::capacity) return refused(result, "a name is too long");
  rest.remove_prefix(result.name.size());
  if (rest.empty()) return result;
  if (rest[0] == '=') return read_size(result, rest.substr(1));
  if (rest[0] == '@') return read_mesh(result, rest.substr(1));
  return read_expression(token,
                         token.word.substr(token.word.size() - rest.size() - result.name.size()));
}

/// Parses a word that begins with a digit.
constexpr SpecToken read_number(SpecToken const& token, std::string_view rest) {
  std::string_view const digits = leading_digits(rest);
  std::string_view const tail = rest.substr(digits.size());
  if (number_of(digits) < 0) return refused(token, "a size is too large");
  if (tail.starts_with("..")) return refused(token, "bounds need a name: n=1..64");
  if (tail.starts_with(".")) return refused(token, "a size is a whole number");
  if (!leading_name(tail).empty()) return refused(token, "a name cannot begin with a digit");
  if (!tail.empty()) return read_expression(token, rest);
  SpecToken result = token;
  result.kind = TokenKind::size;
  result.size = number_of(digits);
  return result;
}

/// Parses a word after its modifiers.
constexpr SpecToken read_rest(SpecToken const& token, std::string_view rest) {
  if (rest == "...") {
    SpecToken result = token;
    result.kind = TokenKind::ellipsis;
    return result;
  }
  if (rest.empty()) return refused(token, "a modifier must stand before a name");
  if (is_letter(rest[0])) return read_named(token, rest);
  if (is_digit(rest[0])) return read_number(token, rest);
  if (rest[0] == '-' && !leading_digits(rest.substr(1)).empty()) {
    return refused(token, "a size cannot be negative");
  }
  return read_expression(token, rest);
}

/// The reason why `*` or `+` is not allowed before what follows it; empty where it is.
constexpr std::string_view variadic_mistake(SpecToken const& token) {
  if (token.kind == TokenKind::size) {
    return token.star ? "* takes a name, not a size" : "+ takes a name, not a size";
  }
  if (token.kind == TokenKind::expression) {
    return token.star ? "* takes a name, not an expression" : "+ takes a name, not an expression";
  }
  return token.has_size() ? "several axes cannot share one size" : "";
}

/// The reason why `?` is not allowed before what follows it; empty where it is.
constexpr std::string_view question_mistake(SpecToken const& token) {
  if (token.kind == TokenKind::size) return "? takes a name, not a size";
  if (token.kind == TokenKind::expression) return "? takes a name, not an expression";
  if (token.kind == TokenKind::any) return "? before _: it already fits all";
  return token.has_size() ? "? has a size per leaf, = has one" : "";
}

/// The reason why the modifiers of a word are not allowed before what follows them; empty where
/// they are.
constexpr std::string_view modifier_mistake(SpecToken const& token) {
  bool const variadic = token.star || token.plus;
  if (!variadic && !token.hash && !token.question) return {};
  if (token.kind == TokenKind::ellipsis) return "... takes no modifier";
  if (token.hash && token.kind == TokenKind::any) return "# before _: it already fits 1";
  std::string_view const why = variadic ? variadic_mistake(token) : "";
  return why.empty() && token.question ? question_mistake(token) : why;
}

/// Parses one word.
constexpr SpecToken token_of(std::string_view word) {
  SpecToken start{};
  start.word = word;
  std::string_view const rest = read_modifiers(start, word);
  if (!start.mistake.empty()) return start;
  SpecToken const token = read_rest(start, rest);
  return token.mistake.empty() ? refused(token, modifier_mistake(token)) : token;
}

}  // namespace tenon::internal
