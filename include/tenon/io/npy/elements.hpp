#pragma once

#include <cstddef>

#include <tenon/core/config.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/io/npy/header.hpp>

namespace tenon::internal::npy {

/// The sizes of an array of at most eight axes.
Sizes sizes_of(Header const& header);

/// The distances of neighbours along the axes, in elements, in the order of the file.
Sizes strides_of(Header const& header);

/// Reads the elements, the rest of the stream, to row-major memory. Needs little memory besides it.
/// Throws `FileError`, also for a bool other than 0 and 1.
void read_elements(ByteStream& stream, Header const& header, void* to);

}  // namespace tenon::internal::npy

#if TENON_DEFINES_RUNTIME
#include <tenon/io/npy/elements.ipp>
#endif
