#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal {

/// A file of at least one byte whose contents can also be addressed as memory, read-only. Pages are
/// read by the operating system when they are first used.
class MappedFile {
 public:
  explicit MappedFile(std::filesystem::path const& path);
  ~MappedFile();
  MappedFile(MappedFile const&) = delete;
  MappedFile& operator=(MappedFile const&) = delete;

  InputFile const& file() const { return file_; }

  std::byte const* at(std::uint64_t offset) const {
    return static_cast<std::byte const*>(memory_) + offset;
  }

 private:
  InputFile file_;
  void const* memory_ = nullptr;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/mapped_file.ipp>
#endif
