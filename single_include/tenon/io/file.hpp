// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <tenon/tenon.hpp>

namespace tenon {

/// What the system says of an error number.
inline std::string system_words(int number) { return std::generic_category().message(number); }

/// A file descriptor that is closed at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() { close(); }

  /// False where the system reports that what was written is lost.
  bool close() {
    int const number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }
  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }

 private:
  int number_;
};

/// At most so many bytes in one call: macOS refuses more than 2^31 - 1.
inline constexpr std::size_t most_bytes_a_call = std::size_t{1} << 30;

/// Calls transfer(bytes done, bytes to do now) until all is done; 0 or the error number. (A call
/// that does nothing is a file that ends: EIO.)
template <class F>
int transfer_all(std::size_t bytes, F&& transfer) {
  for (std::size_t done = 0; done < bytes;) {
    std::size_t const left = bytes - done;
    auto const now = transfer(done, left < most_bytes_a_call ? left : most_bytes_a_call);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return now < 0 ? errno : EIO;
    done += static_cast<std::size_t>(now);
  }
  return 0;
}

/// A file to be read at any position. Throws `FileError`.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path const& path)
      : name_(path.string()), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (!file_ || ::fstat(*file_, &status) != 0)
      refuse("a file that can be read", system_words(errno));
    if (S_ISDIR(status.st_mode)) refuse("a file", "a directory");
    if (!S_ISREG(status.st_mode)) refuse("a file", "a device or a pipe");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  std::string const& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `to` with the bytes from `offset` on, which the file has had.
  void read(std::uint64_t offset, void* to, std::size_t bytes) const {
    int const error = transfer_all(bytes, [&](std::size_t done, std::size_t now) {
      return ::pread(*file_, static_cast<std::byte*>(to) + done, now,
                     static_cast<off_t>(offset + done));
    });
    if (error != 0) refuse("a file that can be read to its end", system_words(error));
  }

 private:
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const {
    fail<FileError>({.who = "load", .expected = expected, .got = got, .where = name_});
  }

  std::string name_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace tenon
