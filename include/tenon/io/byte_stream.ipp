#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/byte_stream.hpp>

namespace tenon::internal {

TENON_RUNTIME void ArrayPlace::refuse(std::string const& expected, std::string const& got) const {
  std::string const shown = escaped(got);
  fail<FileError>({who, what, expected, shown, where});
}

}  // namespace tenon::internal
