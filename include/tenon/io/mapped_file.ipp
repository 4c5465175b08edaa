#pragma once

#include <cerrno>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/mapped_file.hpp>

namespace tenon::internal {

/// An empty file is not mapped.
TENON_RUNTIME MappedFile::MappedFile(std::filesystem::path const& path) : file_(path) {
  if (file_.size() == 0) return;
  memory_ = map_to_read(*file_.file_, file_.size());
  if (memory_ == nullptr) file_.refuse("a file that can be mapped", system_words(errno));
}

TENON_RUNTIME MappedFile::~MappedFile() {
  if (memory_ != nullptr) unmap(memory_, file_.size());
}

}  // namespace tenon::internal
