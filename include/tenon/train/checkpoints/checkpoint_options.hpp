#pragma once

#include <filesystem>
#include <limits>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::training {

/// Which checkpoints are kept, and their names.
struct CheckpointOptions {
  int keep = 3;                     ///< The newest that remain; `keep_all` for all of them.
  std::string_view unit = "epoch";  ///< What numbers count: `checkpoint_epoch_005.safetensors`.
};

/// For `.keep`: no checkpoint is removed.
inline constexpr int keep_all = (std::numeric_limits<int>::max)();

}  // namespace tenon::training

namespace tenon::internal::training {

/// Throws `ValueError` for options that make no sense.
void check_options(std::string_view who, tenon::training::CheckpointOptions const& options);

/// Creates a folder where it does not exist. Throws `FileError`.
void create_folder(std::filesystem::path const& folder, std::string_view who);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <string>
#include <system_error>

#include <tenon/core/error.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal::training {

TENON_RUNTIME void check_options(std::string_view who,
                                 tenon::training::CheckpointOptions const& options) {
  if (options.keep < 1) {
    fail<ValueError>({.who = who,
                      .what = "keep",
                      .expected = "at least 1",
                      .got = std::to_string(options.keep)});
  }
  if (!is_name(options.unit)) {
    std::string const got = "'" + escaped(options.unit) + "'";
    fail<ValueError>({.who = who, .what = "unit", .expected = "a word such as epoch", .got = got});
  }
}

TENON_RUNTIME void create_folder(std::filesystem::path const& folder, std::string_view who) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  std::string const got = system_words(error_number(error));
  fail<FileError>({.who = who,
                   .expected = "a folder that can be created",
                   .got = got,
                   .where = folder.string()});
}

}  // namespace tenon::internal::training

#endif
