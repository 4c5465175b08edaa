#pragma once

// What a line of a page prints.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
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

/// Whether texts agree up to the last digit of a float, or the eighth decimal, which depend on the
/// instruction set.
inline bool agree(std::string const& a, std::string const& b) {
  char const *p = a.c_str(), *q = b.c_str();
  while (*p != 0 && *q != 0) {
    char *p_end, *q_end;
    double const x = std::strtod(p, &p_end), y = std::strtod(q, &q_end);
    bool const are_numbers = p_end != p && q_end != q;
    bool const are_equal =
        x == y || (x != x && y != y) || std::fabs(x - y) <= 2e-7 * std::fabs(y) + 1.5e-8;
    if (are_numbers ? !are_equal : *p != *q) return false;
    p = are_numbers ? p_end : p + 1, q = are_numbers ? q_end : q + 1;
  }
  return *p == *q;
}

template <class X>
void prints(std::string const& expected, X const& x) {
  std::ostringstream out;
  out << std::boolalpha << x;
  CAPTURE(expected);
  CAPTURE(out.str());
  CHECK(agree(one_line(out.str()), expected));
}
