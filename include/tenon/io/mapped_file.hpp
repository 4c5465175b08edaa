#pragma once

#include <cstddef>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>

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

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/mapped_file.ipp>
#endif
