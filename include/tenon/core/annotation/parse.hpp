#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tenon/core/axis.hpp>
#include <tenon/core/language/parse.hpp>
#include <tenon/core/language/tokens.hpp>
#include <tenon/core/rules/resolve.hpp>

namespace tenon::internal {

/// The meaning of the words of an annotation.
enum class WordMeaning {
  names,                ///< `Float<"batch pixel=784">`: a word is a literal axis name.
  variables,            ///< `fits<"b n, n m", X, Y>`: a word binds to the axis at its position.
  leaves,               ///< As `names`, for every leaf of a tree: `?n` is bound per leaf.
  variables_of_leaves,  ///< As `variables`, for the leaves of several trees of one structure.
};

constexpr bool are_variables(WordMeaning words) {
  return words == WordMeaning::variables || words == WordMeaning::variables_of_leaves;
}
constexpr bool are_of_leaves(WordMeaning words) {
  return words == WordMeaning::leaves || words == WordMeaning::variables_of_leaves;
}

/// The annotations of `N` arguments, and of their result: `"*batch c, c d -> *batch d"`.
template <std::size_t N>
struct Annotation {
  std::array<Tokens, N> arguments{};
  Tokens result{};
  bool has_result = false;
  WordMeaning words = WordMeaning::names;
  std::string_view culprit{};  ///< The first malformed word,
  std::string_view mistake{};  ///< and the reason; empty if there is none.

  constexpr Tokens const& operator[](std::size_t i) const { return i < N ? arguments[i] : result; }
};

/// The position of the next `,` or `->` outside parentheses, or the end.
constexpr std::size_t find_separator(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && (text[i] == ',' || text.substr(i).starts_with("->"))) return i;
  }
  return text.size();
}

/// Whether a pattern specifies the result.
constexpr bool has_arrow(std::string_view text) {
  for (std::size_t at = find_separator(text); at < text.size(); at = find_separator(text)) {
    if (text[at] == '-') return true;
    text.remove_prefix(at + 1);
  }
  return false;
}

/// The number of arguments of a pattern.
constexpr std::size_t argument_count(std::string_view text) {
  std::size_t count = 1;
  for (std::size_t at = find_separator(text); at < text.size(); at = find_separator(text)) {
    if (text[at] == '-') break;
    text.remove_prefix(at + 1);
    ++count;
  }
  return count;
}

/// Removes the text of one argument from a pattern and returns it.
constexpr std::string_view next_argument(std::string_view& text) {
  std::size_t const at = find_separator(text);
  std::string_view const argument = text.substr(0, at);
  text.remove_prefix(at == text.size() ? at : at + (text[at] == ',' ? 1 : 2));
  return argument;
}

/// Parses an expression only to check that all its names are bound.
template <std::size_t N>
struct BindingAlgebra {
  using Value = bool;  ///< whether all names are bound
  Annotation<N> const* annotation = nullptr;

  constexpr bool number(std::int64_t) const { return true; }
  constexpr bool name(std::string_view name) const { return binds(*annotation, name); }
  constexpr bool add(bool a, bool b) const { return a && b; }
  constexpr bool subtract(bool a, bool b) const { return a && b; }
  constexpr bool multiply(bool a, bool b) const { return a && b; }
  constexpr bool divide(bool a, bool b) const { return a && b; }
  constexpr bool modulo(bool a, bool b) const { return a && b; }
  constexpr bool minimum(bool a, bool b) const { return a && b; }
  constexpr bool maximum(bool a, bool b) const { return a && b; }
  constexpr bool is_zero(bool) const { return false; }
};

/// Whether an annotation binds this name.
template <std::size_t N>
constexpr bool binds(Annotation<N> const& annotation, std::string_view name) {
  for (std::size_t i = 0; i <= N; ++i) {
    for (SpecToken const& token : annotation[i]) {
      bool const is_bound = token.kind == TokenKind::name && token.expression.empty();
      if (is_bound && !token.is_variadic() && token.name == name) return true;
    }
  }
  return false;
}

/// The reason why two words cannot be in one annotation; empty where they can.
constexpr std::string_view clash(SpecToken const& a, SpecToken const& b) {
  if (a.kind != TokenKind::name || b.kind != TokenKind::name || a.name != b.name) return {};
  if (a.is_variadic() != b.is_variadic()) return "one name for one axis and several";
  if (a.question != b.question) return "? before a name: always or never";
  if (!a.expression.empty() || !b.expression.empty()) return {};
  return sizes_agree(named_axis(a), named_axis(b)) ? "" : "one name stands for two sizes";
}

/// The reason why a word contradicts another; empty where none does.
template <std::size_t N>
constexpr std::string_view clash(Annotation<N> const& annotation, SpecToken const& token) {
  for (std::size_t i = 0; i <= N; ++i) {
    for (SpecToken const& other : annotation[i]) {
      if (auto const why = clash(other, token); !why.empty()) return why;
    }
  }
  return {};
}

/// The reason why a word is not allowed in an annotation; empty where it is.
template <std::size_t N>
constexpr std::string_view word_mistake(Annotation<N> const& annotation, SpecToken const& token) {
  if (token.question && !are_of_leaves(annotation.words)) {
    return "? belongs to annotations of trees";
  }
  if (token.expression.empty()) return clash(annotation, token);
  bool const is_name = token.kind == TokenKind::name;
  if (is_name && are_variables(annotation.words)) return "in a pattern write the size alone";
  if (is_name && token.expression == "_") return clash(annotation, token);
  ReadExtent const read = read_extent(token.expression);
  if (!read.mistake.empty()) return read.mistake;
  if (auto const why = extent_mistake(read.extent); !why.empty()) return why;
  ExpressionReader<BindingAlgebra<N>> names{token.expression, {&annotation}};
  bool const stands_alone = !are_variables(annotation.words);
  return names.whole() || stands_alone ? "" : "a name in it is bound nowhere";
}

/// The annotation with its first error.
template <std::size_t N>
constexpr Annotation<N> find_word_mistake(Annotation<N> const& annotation) {
  Annotation<N> result = annotation;
  for (std::size_t i = 0; i <= N && result.mistake.empty(); ++i) {
    for (SpecToken const& token : annotation[i]) {
      if (!result.mistake.empty()) break;
      result.culprit = token.word;
      result.mistake = word_mistake(annotation, token);
    }
    if (!result.mistake.empty() || annotation[i].mistake.empty()) continue;
    result.culprit = annotation[i].culprit;
    result.mistake = annotation[i].mistake;
  }
  return result;
}

/// Parses a pattern: the annotations of its N arguments, tensors or trees.
template <std::size_t N>
constexpr Annotation<N> read_pattern(std::string_view text,
                                     WordMeaning words = WordMeaning::variables) {
  Annotation<N> result{};
  result.words = words;
  result.has_result = has_arrow(text);
  for (Tokens& argument : result.arguments) argument = tokens_of(next_argument(text));
  if (result.has_result) result.result = tokens_of(text);
  return find_word_mistake(result);
}

/// Parses the annotation of one shape, or of every leaf of a tree.
constexpr Annotation<1> read_annotation(std::string_view text,
                                        WordMeaning words = WordMeaning::names) {
  Annotation<1> result{};
  result.words = words;
  result.arguments[0] = tokens_of(text);
  return find_word_mistake(result);
}

}  // namespace tenon::internal
