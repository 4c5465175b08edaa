#pragma once

#include <array>
#include <cstdio>
#include <optional>
#include <string>

namespace tenon::internal::training {

/// The output of a command, a constant of this library; none where it fails.
inline std::optional<std::string> output_of(char const* command) {
#if defined(_WIN32)
  std::FILE* const pipe = _popen((std::string(command) + " 2>NUL").c_str(), "r");
#else
  std::FILE* const pipe = popen((std::string(command) + " 2>/dev/null </dev/null").c_str(), "r");
#endif
  if (!pipe) return std::nullopt;
  std::string text;
  std::array<char, 4096> part{};
  while (std::size_t const bytes = std::fread(part.data(), 1, part.size(), pipe)) {
    if (text.size() < 65536) text.append(part.data(), bytes);
  }
#if defined(_WIN32)
  bool const is_success = _pclose(pipe) == 0;
#else
  bool const is_success = pclose(pipe) == 0;
#endif
  return is_success ? std::optional(text) : std::nullopt;
}

/// The commit of the repository that the working directory is in, and whether all its files are as
/// committed, none besides.
struct GitState {
  std::string commit{};
  std::optional<bool> is_clean{};
};

/// None where the working directory is in no repository with commits, or git is not installed.
inline std::optional<GitState> git_state() {
  auto const head = output_of("git rev-parse --verify HEAD");
  if (!head || head->find('\n') == std::string::npos) return std::nullopt;
  GitState state{head->substr(0, head->find('\n')), std::nullopt};
  // (The configuration of a repository can name a program as its monitor of files.)
  auto const changes =
      output_of("git --no-optional-locks -c core.fsmonitor=false status --porcelain");
  if (changes) state.is_clean = changes->empty();
  return state;
}

}  // namespace tenon::internal::training
