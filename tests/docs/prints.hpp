#pragma once

// What a line of a page prints.

#include <doctest/doctest.h>

#include <cstddef>
#include <ios>
#include <sstream>
#include <string>

/// The printed value on one line: `[[1. 2.] [3. 4.]]`.
inline std::string one_line(std::string const& text) {
  std::string line;
  for (std::size_t k = 0; k < text.size(); ++k) {
    bool const space = text[k] == ' ' || text[k] == '\n';
    bool const edge = line.empty() || line.back() == '[' || line.back() == ' ';
    if (!space && text[k] == ']' && line.back() == ' ') line.pop_back();
    if (!space) line += text[k];
    else if (!edge) line += ' ';
  }
  return line;
}

template <class X>
void prints(std::string const& expected, X const& x) {
  std::ostringstream out;
  out << std::boolalpha << x;
  CHECK(one_line(out.str()) == expected);
}
