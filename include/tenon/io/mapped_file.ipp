#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/mapped_file.hpp>
#include <tenon/io/system_file.hpp>

namespace tenon::internal {

TENON_RUNTIME MappedFile::MappedFile(InputFile const& file) : bytes_(file.size()) {
  if (bytes_ == 0) return;
  Mapping const mapping = map_to_read(file.descriptor(), bytes_);
  data_ = mapping.data;
  if (mapping.error == 0) return;
  std::string const got = system_words(mapping.error);
  fail<FileError>({file.who(), {}, "a file that can be mapped", got, file.name()});
}

TENON_RUNTIME MappedFile::~MappedFile() {
  if (data_ != nullptr) unmap(data_, bytes_);
}

}  // namespace tenon::internal
