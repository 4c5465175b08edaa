#pragma once

#include <memory>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/mapped_file.hpp>
#include <tenon/io/onnx/decode.hpp>
#include <tenon/io/onnx/read.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME Model read(std::filesystem::path const& path, ReadOptions options) {
  InputFile const file(path, reading);
  auto const mapped = std::make_shared<MappedFile const>(file);
  std::string_view const bytes(reinterpret_cast<char const*>(mapped->data()),
                               std::size_t{file.size()});
  Source source(bytes, file.name(), file.size() + options.most_extra_memory);
  ExternalFiles files(path);
  return decode(source, files, mapped);
}

}  // namespace tenon::internal::onnx
