#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/transfer.hpp>

namespace tenon::internal {

TENON_RUNTIME std::string system_words(int number) {
  return std::generic_category().message(number);
}

TENON_RUNTIME bool Descriptor::close() {
  int const number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0;
}

}  // namespace tenon::internal

namespace tenon {

TENON_RUNTIME InputFile::InputFile(std::filesystem::path const& path)
    : name_(path.string()), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  if (!file_ || ::fstat(*file_, &status) != 0)
    refuse("a file that can be read", internal::system_words(errno));
  if (S_ISDIR(status.st_mode)) refuse("a file", "a directory");
  if (!S_ISREG(status.st_mode)) refuse("a file", "a device or a pipe");
  size_ = static_cast<std::uint64_t>(status.st_size);
}

TENON_RUNTIME void InputFile::read(std::uint64_t offset, void* to, std::size_t bytes) const {
  int const error = internal::transfer_all(bytes, [&](std::size_t done, std::size_t now) {
    return ::pread(*file_, static_cast<std::byte*>(to) + done, now,
                   static_cast<off_t>(offset + done));
  });
  if (error != 0) refuse("a file that can be read to its end", internal::system_words(error));
}

TENON_RUNTIME void InputFile::refuse(std::string const& expected, std::string const& got) const {
  internal::fail<FileError>({.who = "load", .expected = expected, .got = got, .where = name_});
}

}  // namespace tenon
