#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include <tenon/io/safetensors/header.hpp>

namespace tenon::safetensors {

/// The bytes that an entry's sizes and dtype call for, or none where they are too many.
std::pair<std::uint64_t, bool> bytes_of(Entry const& entry);

/// Checks that the tensors fill the data one after the other: no hole, no overlap, nothing beyond,
/// and each as large as its shape says. Throws `FileError`.
void check_layout(Header const& header, std::string_view where, std::uint64_t data_bytes);

}  // namespace tenon::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/layout.ipp>
#endif
