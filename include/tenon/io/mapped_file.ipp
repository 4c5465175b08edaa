#pragma once

#include <cerrno>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/mapped_file.hpp>

namespace tenon::internal {

TENON_RUNTIME std::byte const* MappedFile::at(std::uint64_t offset) const {
  std::call_once(once_, [&] {
    memory_ = map_to_read(*file_.file_, file_.size());
    if (memory_ == nullptr) file_.refuse("a file that can be mapped", system_words(errno));
  });
  return static_cast<std::byte const*>(memory_) + offset;
}

TENON_RUNTIME MappedFile::~MappedFile() {
  if (memory_ != nullptr) unmap(memory_, file_.size());
}

}  // namespace tenon::internal
