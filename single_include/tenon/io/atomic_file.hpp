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

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <tenon/tenon.hpp>
#include <tenon/io/file.hpp>

namespace tenon {

/// Waits until what was written is on the disk; 0 or the error number.
int synchronise(int descriptor);

/// The same for the names in a folder: they, too, are to survive a power failure. (EINVAL: a file
/// system without this; EACCES: nobody may look, but names are made.)
int synchronise_folder(std::filesystem::path const& folder);

/// A file that appears whole or not at all: written beside its target as `target.partial-…`, and
/// renamed when all of it is on the disk. Whoever opens the target, also after a power failure,
/// finds the old content or the new. Owner, group and permissions of an old target are kept as far
/// as the process may set them; access control lists and extended attributes are not. A symbolic
/// link is followed, also to a file that does not exist yet. A killed program leaves its partial
/// file, which the next one that writes this target removes. Throws `FileError`; the target is then
/// as it was.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path const& path)
      : name_(path.string()), target_(resolved(path)), file_(open_partial()) {}

  ~AtomicFile();
  AtomicFile(AtomicFile const&) = delete;
  AtomicFile& operator=(AtomicFile const&) = delete;

  void write(void const* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }

  /// The file takes the place of the target.
  void commit();

 private:
  /// A symbolic link stays one: the file that it names is replaced.
  std::filesystem::path resolved(std::filesystem::path path) const;

  /// A new file that nobody else has open. What replaces a file can be read by its owner alone
  /// until it has the same permissions.
  int open_partial();

  /// Named after the process, so that two that save at once do not meet.
  std::filesystem::path next_partial() const;

  /// Renaming would put a file in the place of a device.
  void check_target();

  void check(int error) const;

  std::string name_;
  std::filesystem::path target_, partial_;
  struct stat old_ {};
  bool replaces_ = false;  // an old file, `old_`
  Descriptor file_;
  bool committed_ = false;
};

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/atomic_file.ipp>
#endif
