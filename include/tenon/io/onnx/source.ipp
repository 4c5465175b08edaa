#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/onnx/source.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME void Source::charge(std::uint64_t bytes) {
  if (bytes > memory_left_) refuse({}, "a model that fits in the memory allowed for it", "more");
  memory_left_ -= bytes;
}

TENON_RUNTIME void Source::refuse(std::string_view what, std::string_view expected,
                                  std::string_view got) const {
  fail<FileError>({reading, what, expected, got, name_});
}

TENON_RUNTIME void Source::refuse_at(char const* at, std::string_view expected,
                                     std::string_view got) const {
  std::string const where = name_ + ", byte " + std::to_string(at - bytes_.data());
  fail<FileError>({reading, {}, expected, got, where});
}

}  // namespace tenon::internal::onnx
