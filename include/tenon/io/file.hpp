#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <tenon/core/config.hpp>
#include <tenon/io/system_file.hpp>

namespace tenon::internal {

/// The system's text for an error number.
std::string system_words(int number);

/// The error number of an error of std::filesystem: on Windows those have numbers of their own.
int error_number(std::error_code const& error);

/// Whether a file that another names, as a part of it, is in the folder of that other file or below
/// it, or in that of the file to which the other is a link: symbolic links are followed, and may
/// lead nowhere else. (A cache of files names both by links to one folder.) True for a missing
/// file.
bool is_beside(std::filesystem::path const& part, std::filesystem::path const& whole);

}  // namespace tenon::internal

namespace tenon {

/// A file that can be read at any position; `who` is the operation in messages. Throws `FileError`.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path const& path, std::string_view who = "load");

  std::string const& name() const { return name_; }
  std::string const& who() const { return who_; }
  std::uint64_t size() const { return size_; }
  int descriptor() const { return *file_; }

  /// Fills `to` with the bytes from `offset` on, which must be within the file.
  void read(std::uint64_t offset, void* to, std::size_t bytes) const;

  /// Reads all of it.
  std::string text() const;

 private:
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;

  std::string name_, who_;
  internal::Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/file.ipp>
#endif
