#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::safetensors {

/// The size in bytes from an entry's sizes and dtype; false on overflow.
std::pair<std::uint64_t, bool> bytes_of(Entry const& entry);

/// Checks that the tensors fill the data contiguously: without gaps, overlaps or trailing bytes,
/// and each with the size of its shape. Throws `FileError`.
void check_layout(Header const& header, std::string_view where, std::uint64_t data_bytes);

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/layout.ipp>
#endif
