#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/dtype.hpp>

namespace tenon {

/// The metadata of a file: names and texts, both UTF-8.
using Metadata = std::map<std::string, std::string>;

}  // namespace tenon

namespace tenon::internal {

namespace safetensors {

/// The maximum size of a header, as in the reference implementation.
inline constexpr std::uint64_t most_header_bytes = 100'000'000;

/// The maximum rank of an entry: that of PyTorch and NumPy.
inline constexpr std::size_t most_axes = 64;

inline constexpr std::string_view metadata_name = "__metadata__";

/// The header's description of a tensor. Offsets are bytes from the start of the data.
struct Entry {
  StoredDtype const* dtype = nullptr;
  std::vector<std::int64_t> sizes{};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t file = 0;  ///< The number of its file, where an index names several.
};

struct Header {
  std::map<std::string, Entry, std::less<>> entries{};
  Metadata metadata{};
  std::uint64_t data_at = 0;  ///< The offset of the data in the file.
};

/// Reads the entries of a header; `where` is the file in messages. Throws `FileError`.
Header read_entries(std::string_view text, std::string_view where);

/// The entry of that name; null where there is none.
Entry const* find_entry(Header const& header, std::string_view name);

}  // namespace safetensors

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/header.ipp>
#endif
