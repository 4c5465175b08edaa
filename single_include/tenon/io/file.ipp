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
#include <system_error>
#include <utility>

#include <tenon/tenon.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/transfer.hpp>

namespace tenon {

TENON_RUNTIME std::string system_words(int number) {
  return std::generic_category().message(number);
}

TENON_RUNTIME bool Descriptor::close() {
  int const number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0;
}

TENON_RUNTIME InputFile::InputFile(std::filesystem::path const& path)
    : name_(path.string()), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  if (!file_ || ::fstat(*file_, &status) != 0)
    refuse("a file that can be read", system_words(errno));
  if (S_ISDIR(status.st_mode)) refuse("a file", "a directory");
  if (!S_ISREG(status.st_mode)) refuse("a file", "a device or a pipe");
  size_ = static_cast<std::uint64_t>(status.st_size);
}

TENON_RUNTIME void InputFile::read(std::uint64_t offset, void* to, std::size_t bytes) const {
  int const error = transfer_all(bytes, [&](std::size_t done, std::size_t now) {
    return ::pread(*file_, static_cast<std::byte*>(to) + done, now,
                   static_cast<off_t>(offset + done));
  });
  if (error != 0) refuse("a file that can be read to its end", system_words(error));
}

TENON_RUNTIME void InputFile::refuse(std::string const& expected, std::string const& got) const {
  fail<FileError>({.who = "load", .expected = expected, .got = got, .where = name_});
}

}  // namespace tenon
