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

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include <tenon/tenon.hpp>

namespace tenon {

/// The system's text for an error number.
std::string system_words(int number);

/// An owning file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() { close(); }

  /// False where the system reports that written data were lost.
  bool close();
  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }

 private:
  int number_;
};

/// A file that can be read at any position. Throws `FileError`.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path const& path);

  std::string const& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `to` with the bytes from `offset` on, which must be within the file.
  void read(std::uint64_t offset, void* to, std::size_t bytes) const;

 private:
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;

  std::string name_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/file.ipp>
#endif
