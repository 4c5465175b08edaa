#pragma once

#include <algorithm>
#include <cerrno>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/transfer.hpp>

namespace tenon::internal {

TENON_RUNTIME std::string system_words(int number) {
  return std::generic_category().message(number);
}

TENON_RUNTIME int error_number(std::error_code const& error) {
  return error.default_error_condition().value();
}

TENON_RUNTIME bool is_beside(std::filesystem::path const& part,
                             std::filesystem::path const& whole) {
  std::error_code missing, unknown;
  auto const file = std::filesystem::canonical(part, missing);
  auto const holds = [&](std::filesystem::path const& folder) {
    auto const end = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first;
    return !unknown && end == folder.end();
  };
  auto const around = std::filesystem::absolute(whole).parent_path();
  return missing || holds(std::filesystem::canonical(around, unknown)) ||
         holds(std::filesystem::canonical(whole, unknown).parent_path());
}

}  // namespace tenon::internal

namespace tenon {

TENON_RUNTIME InputFile::InputFile(std::filesystem::path const& path, std::string_view who)
    : name_(path.string()), who_(who), file_(internal::open_to_read(path)) {
  auto const check = [&](int error) {
    if (error != 0) refuse("a file that can be read", internal::system_words(error));
  };
  int const opening = file_ ? 0 : errno;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse("a file", "a directory");
  check(opening);
  internal::FileStatus const status = internal::status_of(*file_);
  check(status.error);
  if (!status.is_regular) refuse("a file", "a device or a pipe");
  size_ = status.bytes;
}

TENON_RUNTIME void InputFile::read(std::uint64_t offset, void* to, std::size_t bytes) const {
  int const error = internal::transfer_all(bytes, [&](std::size_t done, std::size_t now) {
    return internal::read_some(*file_, static_cast<std::byte*>(to) + done, now, offset + done);
  });
  if (error != 0) refuse("a file that can be read to its end", internal::system_words(error));
}

TENON_RUNTIME std::string InputFile::text() const {
  std::string result(static_cast<std::size_t>(size_), '\0');
  read(0, result.data(), result.size());
  return result;
}

TENON_RUNTIME void InputFile::refuse(std::string const& expected, std::string const& got) const {
  internal::fail<FileError>({.who = who_, .expected = expected, .got = got, .where = name_});
}

}  // namespace tenon
