#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>

namespace tenon::internal::optim {

/// Whether a path matches a pattern, where `*` stands for any characters, dots among them. Python:
/// `fnmatch`.
bool matches(std::string_view pattern, std::string_view path);

/// Throws `ValueError` unless one of the paths matches.
void check_matches(std::string_view pattern, std::vector<std::string> const& paths);

}  // namespace tenon::internal::optim

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>

namespace tenon::internal::optim {

TENON_RUNTIME bool matches(std::string_view pattern, std::string_view path) {
  auto const star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == path;
  if (!path.starts_with(pattern.substr(0, star))) return false;
  for (auto rest = path.substr(star);; rest.remove_prefix(1)) {
    if (matches(pattern.substr(star + 1), rest)) return true;
    if (rest.empty()) return false;
  }
}

TENON_RUNTIME void check_matches(std::string_view pattern, std::vector<std::string> const& paths) {
  for (auto const& path : paths) {
    if (matches(pattern, path)) return;
  }
  std::string got;
  for (auto const& path : paths) got += got.empty() ? path : ", " + path;
  fail<ValueError>({.who = "optim",
                    .what = pattern,
                    .expected = "a pattern of the paths of some parameters",
                    .got = got.empty() ? "no parameters" : got});
}

}  // namespace tenon::internal::optim

#endif
