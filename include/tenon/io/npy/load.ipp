#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/npy/load.hpp>
#include <tenon/io/safetensors/axes.hpp>

namespace tenon::internal::npy {

TENON_RUNTIME void check_fits(Header const& header, ArrayPlace const& place,
                              StoredDtype const& dtype, Shape const& shape) {
  check_dtype(header, place);
  StoredDtype unknown{};
  safetensors::Header index;
  index.entries[place.what] = entry_of(header, unknown);
  safetensors::LeafCheck(index, {}, place.where, place.who).leaf(place.what, dtype, shape);
}

TENON_RUNTIME std::string load_contents(std::filesystem::path const& path) {
  InputFile const file(path, "npy::load_contents");
  FileStream stream(file);
  Header const header = read_header(stream);
  StoredDtype unknown{};
  return safetensors::described({}, {}, entry_of(header, unknown));
}

}  // namespace tenon::internal::npy
