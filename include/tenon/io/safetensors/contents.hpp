#pragma once

#include <tenon/io/file.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::safetensors {

/// Reads and validates everything in a file except the elements of its tensors. Throws `FileError`.
Header read_header(InputFile const& file);

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/contents.ipp>
#endif
