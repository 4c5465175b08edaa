#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/byte_stream.hpp>
#include <tenon/io/npy/dtype.hpp>
#include <tenon/io/safetensors/header.hpp>

/// The header of npy files: versions 1.0, 2.0 and 3.0 of the format,
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
namespace tenon::internal::npy {

/// The maximum size of a header, as in NumPy.
inline constexpr std::size_t most_header_bytes = 10'000;

struct Header {
  std::string descr{};                 ///< NumPy's description of the dtype, as in the file.
  StoredDtype const* dtype = nullptr;  ///< Null for a dtype that Tenon does not have.
  bool fortran_order = false;
  std::vector<std::int64_t> sizes{};
  std::uint64_t data_at = 0;  ///< The offset of the elements.
};

/// Reads the header, and checks that the rest of the stream is the elements of the array (where
/// Tenon has its dtype). Throws `FileError`.
Header read_header(ByteStream& stream);

/// Throws `FileError` for a dtype that Tenon does not have, with the reason.
void check_dtype(Header const& header, ArrayPlace const& place);

/// The entry of this array in an index. `unknown` is its dtype if Tenon does not have it: it refers
/// to the text in the header.
safetensors::Entry entry_of(Header const& header, StoredDtype& unknown);

/// Everything before the elements, as NumPy writes it.
std::string head_of(StoredDtype const& dtype, std::vector<std::int64_t> const& sizes);

}  // namespace tenon::internal::npy

#if TENON_DEFINES_RUNTIME
#include <tenon/io/npy/header.ipp>
#endif
