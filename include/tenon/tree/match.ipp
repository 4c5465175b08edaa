#pragma once

#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tree/match.hpp>

namespace tenon::internal::tree {

[[noreturn]] inline void fail_to_match(Path const& path, std::string const& expected,
                                       std::string const& got) {
  std::string const where = path.text();
  fail<ShapeError>({.who = "tree", .what = where, .expected = expected, .got = got});
}

TENON_RUNTIME void fail_to_match(Path const& path, std::size_t first, std::size_t other) {
  fail_to_match(path, std::to_string(first) + " elements", std::to_string(other));
}

TENON_RUNTIME void fail_to_match(Path const& path, bool first, bool other) {
  std::string const texts[] = {"none", "a value"};
  fail_to_match(path, texts[first], texts[other]);
}

}  // namespace tenon::internal::tree
