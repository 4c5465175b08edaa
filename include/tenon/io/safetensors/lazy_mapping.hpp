#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>

#include <tenon/io/file.hpp>
#include <tenon/io/mapped_file.hpp>

namespace tenon::internal::safetensors {

/// An open file, which is mapped when its memory is first asked for, by any thread.
class LazyMapping {
 public:
  explicit LazyMapping(std::filesystem::path const& path) : file_(path) {}

  InputFile const& file() const { return file_; }

  /// The bytes from `offset` on, in a file that has at least one. Throws `FileError`.
  std::byte const* at(std::uint64_t offset) const {
    std::call_once(once_, [&] { mapped_ = std::make_unique<MappedFile>(file_); });
    return mapped_->data() + offset;
  }

 private:
  InputFile file_;
  mutable std::once_flag once_{};
  mutable std::unique_ptr<MappedFile> mapped_{};
};

}  // namespace tenon::internal::safetensors
