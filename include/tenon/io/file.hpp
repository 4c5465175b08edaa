#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

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

namespace tenon::internal {

/// All bytes of a file as read-only memory, which the system reads when they are used. The file may
/// be renamed or removed in the meantime, but not shortened: using the bytes that are gone ends the
/// program, as with every mapped file. Throws `FileError`.
class MappedFile {
 public:
  explicit MappedFile(InputFile const& file);
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  std::byte const* data() const { return data_; }

 private:
  std::byte const* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What the messages about an array in a file begin and end with: the operation, the name of the
/// array (empty where the file has only one), and the file.
struct ArrayPlace {
  std::string who, what, where;

  /// Throws `FileError`; control characters in `got` are escaped.
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;
};

/// Bytes that are read in order, of which the number is known: those of a file, or of a member of
/// an archive.
class ByteStream {
 public:
  ByteStream(std::uint64_t bytes, ArrayPlace place) : left_(bytes), place_(std::move(place)) {}
  ByteStream(ByteStream const&) = delete;
  ByteStream& operator=(ByteStream const&) = delete;
  virtual ~ByteStream() = default;

  std::uint64_t left() const { return left_; }
  ArrayPlace const& place() const { return place_; }

  /// Fills `to`; there must be as many bytes left.
  void read(void* to, std::size_t bytes) {
    read_next(to, bytes);
    left_ -= bytes;
  }

 private:
  virtual void read_next(void* to, std::size_t bytes) = 0;

  std::uint64_t left_;
  ArrayPlace place_;
};

/// All bytes of a file.
class FileStream final : public ByteStream {
 public:
  explicit FileStream(InputFile const& file)
      : ByteStream(file.size(), {file.who(), {}, file.name()}), file_(file) {}

 private:
  void read_next(void* to, std::size_t bytes) override {
    file_.read(file_.size() - left(), to, bytes);
  }

  InputFile const& file_;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cerrno>

#include <tenon/core/error.hpp>

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

namespace tenon::internal {

TENON_RUNTIME MappedFile::MappedFile(InputFile const& file) : bytes_(file.size()) {
  if (bytes_ == 0) return;
  Mapping const mapping = map_to_read(file.descriptor(), bytes_);
  data_ = mapping.data;
  if (mapping.error == 0) return;
  std::string const got = system_words(mapping.error);
  fail<FileError>({file.who(), {}, "a file that can be mapped", got, file.name()});
}

TENON_RUNTIME MappedFile::~MappedFile() {
  if (data_ != nullptr) unmap(data_, bytes_);
}

TENON_RUNTIME void ArrayPlace::refuse(std::string const& expected, std::string const& got) const {
  std::string const shown = escaped(got);
  fail<FileError>({who, what, expected, shown, where});
}

}  // namespace tenon::internal

#endif
