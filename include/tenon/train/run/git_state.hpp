#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <tenon/train/run/command.hpp>

namespace tenon::internal::training {

/// The commit of the repository that the working directory is in, and whether all its files are as
/// committed, none besides.
struct GitState {
  std::string commit{};
  std::optional<bool> is_clean{};
};

/// `git status` of the whole repository, without the folder of the runs, where that is within the
/// working directory. (The configuration of a repository can name a program as its monitor of
/// files.)
inline std::string status_command(std::filesystem::path const& runs) {
  std::string command = "git --no-optional-locks -c core.fsmonitor=false status --porcelain -- :/";
  std::filesystem::path const folder = runs.lexically_proximate(std::filesystem::current_path());
  if (folder.empty() || folder.is_absolute() || folder == "." || *folder.begin() == "..")
    return command;
  return command + " " + shell_word(":(exclude,literal)" + folder.generic_string());
}

/// None where the working directory is in no repository with commits, or git is not installed.
/// Files in the folder `runs` do not count: those of a run are not what it depends on.
inline std::optional<GitState> git_state(std::filesystem::path const& runs = {}) {
  auto const head = output_of("git rev-parse --verify HEAD");
  if (!head || head->find('\n') == std::string::npos) return std::nullopt;
  GitState state{head->substr(0, head->find('\n')), std::nullopt};
  if (auto const changes = output_of(status_command(runs))) state.is_clean = changes->empty();
  return state;
}

}  // namespace tenon::internal::training
