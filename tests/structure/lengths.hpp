#pragma once

// The lengths of files and functions, and the places of macros.
//
// A file counts all its lines. A function counts the lines of code between its braces: no blank
// lines, no lines with only comments, and not the lines of the braces themselves. Lambdas and local
// classes count for the function around them. This is not a parser: a brace opens a function if the
// text before it, back to the last statement, ends in a parameter list and what may follow one
// (const, noexcept, -> type, requires, member initialisers).

#include <regex>

#include "source.hpp"

namespace structure {

inline constexpr int most_lines_of_a_file = 400;
inline constexpr int most_lines_of_a_function = 20;
inline constexpr int most_macros = 6;

struct Function {
  std::string head;
  int line;    // of the opening brace
  int length;  // lines of code between the braces
};

/// The index of the character that closes the group opened at `open`.
inline std::size_t closing(std::string_view text, std::size_t open, char closes) {
  int depth = 0;
  for (auto i = open; i < text.size(); ++i) {
    if (text[i] == text[open]) ++depth;
    if (text[i] == closes && (i == 0 || text[i - 1] != '-') && --depth == 0) return i;
  }
  return text.size() - 1;
}

/// The head without `template <...>`, and with (...) and [...] emptied.
inline std::string simplified(std::string head) {
  static std::regex const introducer(R"(\btemplate\s*<)");
  for (std::smatch found; std::regex_search(head, found, introducer);) {
    auto const open = static_cast<std::size_t>(found.position() + found.length()) - 1;
    auto const from = static_cast<std::size_t>(found.position());
    head.erase(from, closing(head, open, '>') - from + 1);
  }
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] != '(' && head[i] != '[') continue;
    auto const end = closing(head, i, head[i] == '(' ? ')' : ']');
    head.erase(i + 1, end - i - 1);
    ++i;
  }
  return trimmed(std::regex_replace(head, std::regex(R"(\s+)"), " "));
}

inline bool matches(std::string const& text, char const* pattern) {
  return std::regex_search(text, std::regex(pattern));
}

/// True if a brace after this head opens the body of a function.
inline bool opens_function(std::string const& whole_head) {
  auto const head = simplified(whole_head);
  if (matches(head, R"(((^|[=(,!]|&&|\|\||\brequires|\breturn)\s*)requires\s*(\(\))?$)"))
    return false;
  if (matches(head, R"(\brequires$)")) return false;
  auto const tail_at = head.find_last_of(")]");
  if (tail_at == std::string::npos) return false;
  if (matches(head, R"(\b(namespace|class|struct|union|enum)\b[^()]*$)")) return false;
  bool const lambda =
      matches(head, R"((^|[^\w\s\])>])\s*\[\])") || matches(head, R"(\breturn\s*\[\])");
  bool const value = matches(head, R"((^|[^=!<>])=($|[^=]))") && !matches(head, "operator");
  if (value && !lambda) return false;
  if (!lambda && head[tail_at] == ']') return false;
  auto const tail = trimmed(head.substr(tail_at + 1));
  return matches(
      tail,
      R"(^((const|noexcept|override|final|mutable|constexpr|&|&&)\s*)*(->.*|requires\b.*)?$)");
}

inline int code_lines_between(std::string_view code, std::size_t open, std::size_t close) {
  auto const lines = lines_of(std::string(code.substr(open + 1, close - open - 1)));
  if (lines.size() < 2) return 0;  // on the line of its brace
  return static_cast<int>(std::count_if(lines.begin() + 1, lines.end(),
                                        [](auto const& line) { return !trimmed(line).empty(); }));
}

/// All outermost functions of a text.
inline std::vector<Function> functions_of(std::string const& text) {
  auto const code = code_of(text);
  std::vector<Function> functions;
  std::vector<std::string> heads{""};  // for each open brace; the last one grows
  for (std::size_t i = 0; i < code.size(); ++i) {
    auto& head = heads.back();
    if (code[i] == '{') {
      if (opens_function(head)) {
        auto const end = closing(code, i, '}');
        auto const line =
            static_cast<int>(std::count(code.begin(), code.begin() + static_cast<long>(i), '\n')) +
            1;
        functions.push_back({trimmed(head), line, code_lines_between(code, i, end)});
        head.clear();
        i = end;
      } else {
        heads.emplace_back();
      }
    } else if (code[i] == '}') {
      if (heads.size() > 1) heads.pop_back();
      // After a braced value the head continues: `a_{a} {` may still open a function.
      auto& outer = heads.back();
      bool const value =
          !matches(simplified(outer), R"(\b(namespace|class|struct|union|enum)\b[^()]*$)");
      outer = value ? outer + "()" : "";
    } else if (code[i] == ';') {
      head.clear();
    } else {
      head += code[i];
    }
  }
  return functions;
}

inline Findings check_files(std::vector<Source> const& sources) {
  Findings findings;
  for (auto const& source : sources) {
    auto const lines = std::ranges::count(source.text, '\n');
    if (lines > most_lines_of_a_file) {
      findings.push_back(source.path + " has " + std::to_string(lines) + " lines");
    }
  }
  return findings;
}

inline Findings check_functions(std::vector<Source> const& sources) {
  Findings findings;
  for (auto const& source : sources) {
    for (auto const& function : functions_of(source.text)) {
      if (function.length <= most_lines_of_a_function) continue;
      findings.push_back(source.path + ":" + std::to_string(function.line) + " has a function of " +
                         std::to_string(function.length) + " lines");
    }
  }
  return findings;
}

/// The checks of users' tests are macros, which report the line of their use.
inline bool is_check(Source const& header, std::string const& macro) {
  return header.path.find("/testing/") != std::string::npos &&
         (macro.starts_with("CHECK_") || macro.starts_with("TENON_"));
}

/// The guard of `<immintrin.h>`, which its parts require; undefined again in the same file.
inline bool is_guard(Source const& header, std::string const& macro) {
  return header.path.ends_with("backend/cpu/simd/intrinsics.hpp") &&
         macro.find("_IMMINTRIN_H") != std::string::npos &&
         header.text.find("#undef " + macro + "\n") != std::string::npos;
}

inline Findings check_macros(std::vector<Source> const& headers) {
  static std::regex const definition(R"(\s*#\s*define\s+(\w+).*)");
  Findings findings;
  std::vector<std::string> names;
  for (auto const& header : headers) {
    for (auto const& line : lines_of(header.text)) {
      std::smatch match;
      if (!std::regex_match(line, match, definition) || is_check(header, match[1].str()) ||
          is_guard(header, match[1].str()))
        continue;
      bool const right_place = header.path.ends_with("core/config.hpp");
      bool const right_name = match[1].str().starts_with("TENON_");
      if (!right_place || !right_name)
        findings.push_back(header.path + " defines " + match[1].str());
      if (!std::ranges::count(names, match[1].str())) names.push_back(match[1].str());
    }
  }
  if (std::ssize(names) > most_macros) findings.push_back(std::to_string(names.size()) + " macros");
  return findings;
}

}  // namespace structure
