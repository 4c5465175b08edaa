#pragma once

// Sources as text: read, split into lines, stripped of comments and literals.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace structure {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;
using Findings = std::vector<std::string>;

struct Source {
  std::string path;  // relative to the root that was read, with '/'
  std::string text;
};

inline std::string read(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All files below `root/folder` that end in one of `endings`, in order of their paths.
inline std::vector<Source> read_all(fs::path const& root, std::string const& folder,
                                    std::vector<std::string> const& endings) {
  std::vector<Source> sources;
  if (!fs::exists(root / folder)) return sources;
  for (auto const& entry : fs::recursive_directory_iterator(root / folder)) {
    auto const ending = entry.path().extension().string();
    if (!entry.is_regular_file() || !std::ranges::count(endings, ending)) continue;
    sources.push_back({fs::relative(entry.path(), root).generic_string(), read(entry.path())});
  }
  std::ranges::sort(sources, {}, &Source::path);
  return sources;
}

inline Lines lines_of(std::string const& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::string trimmed(std::string_view line) {
  auto const first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
}

/// The end of the literal or comment that starts at `at`; `at` itself if none starts there.
inline std::size_t end_of_opaque(std::string_view text, std::size_t at) {
  auto const until = [&](std::string_view closing, std::size_t from) {
    auto const found = text.find(closing, from);
    return found == std::string_view::npos ? text.size() : found + closing.size();
  };
  auto const word_before = at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0);
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) == "/*") return until("*/", at + 2);
  if (text.substr(at, 2) == "R\"" && !word_before) {
    auto const open = text.find('(', at);
    return until(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  if (text[at] != '"' && (text[at] != '\'' || word_before)) return at;
  for (auto i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == text[at]) return i + 1;
  }
  return text.size();
}

/// The text with comments, literals and preprocessor lines blanked; lines keep their numbers.
inline std::string code_of(std::string text) {
  bool line_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto end = end_of_opaque(text, i);
    if (text[i] == '#' && line_start) {
      end = i;
      do end = std::min(text.find('\n', end + 1), text.size());
      while (end < text.size() && text[end - 1] == '\\');
    }
    line_start =
        text[i] == '\n' || (line_start && std::isspace(static_cast<unsigned char>(text[i])));
    if (end == i) continue;
    bool const literal = text[i] == '"' || text[i] == '\'' || text[i] == 'R';
    for (auto k = i; k < end; ++k) {
      if (text[k] != '\n') text[k] = literal ? '0' : ' ';
    }
    i = end - 1;
  }
  return text;
}

}  // namespace structure
