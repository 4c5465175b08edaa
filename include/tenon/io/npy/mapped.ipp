#pragma once

#include <string>

#include <tenon/core/config.hpp>
#include <tenon/io/npy/mapped.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>

namespace tenon::internal::npy {

/// Of a complex number that of its parts.
TENON_RUNTIME std::uint64_t alignment_of(StoredDtype const& dtype) {
  return static_cast<std::uint64_t>(dtype.name[1] == 'c' ? dtype.bits / 16 : dtype.bits / 8);
}

TENON_RUNTIME MappedFile map_array(std::filesystem::path const& path, StoredDtype const& dtype,
                                   Shape const& shape, Header& header) {
  InputFile const file(path, "npy::Mapped");
  FileStream stream(file);
  header = read_header(stream);
  ArrayPlace const& place = stream.place();
  check_fits(header, place, dtype, shape);
  if (header.data_at % alignment_of(dtype) != 0)
    place.refuse(
        "elements aligned to " + std::to_string(alignment_of(dtype)) + " bytes",
        "elements from byte " + std::to_string(header.data_at) + ", which npy::load reads");
  MappedFile memory(file);
  if (dtype.dtype == "bool")
    safetensors::check_bools({}, memory.data() + header.data_at, stream.left(), place.where,
                             place.who);
  return memory;
}

}  // namespace tenon::internal::npy
