#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal {

/// A file whose contents can also be addressed as memory, read-only. It is mapped when that is
/// first asked for, and pages are read by the operating system when they are first used.
class MappedFile {
 public:
  explicit MappedFile(std::filesystem::path const& path) : file_(path) {}
  ~MappedFile();
  MappedFile(MappedFile const&) = delete;
  MappedFile& operator=(MappedFile const&) = delete;

  InputFile const& file() const { return file_; }

  /// The bytes from `offset` on, in a file that has at least one. Throws `FileError`.
  std::byte const* at(std::uint64_t offset) const;

 private:
  InputFile file_;
  mutable std::once_flag once_{};
  mutable void const* memory_ = nullptr;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/mapped_file.ipp>
#endif
