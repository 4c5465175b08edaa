#pragma once

#include <bit>
#include <filesystem>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/io/npy/elements.hpp>
#include <tenon/io/npy/header.hpp>
#include <tenon/io/npy/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal::npy {

static_assert(std::endian::native == std::endian::little,
              "tenon::npy: files hold little-endian numbers, and so must the machine");

/// Throws where the array of a file does not fit: `FileError` for another dtype, `ShapeError` for
/// other axes.
void check_fits(Header const& header, ArrayPlace const& place, StoredDtype const& dtype,
                Shape const& shape);

/// Loads the array of an npy file as a tensor or a number, of either order, of versions 1.0 to 3.0.
/// Run-time sizes are those of the file. The file is checked before its elements are read: its
/// header, its length, the dtype, the sizes and their bounds. Object arrays (pickle), structured
/// dtypes and big-endian numbers are refused. Throws `FileError`, or `ShapeError` for axes that do
/// not fit. NumPy: `np.load`.
template <class X>
X load(std::filesystem::path const& path) {
  check_array<X>();
  InputFile const file(path, "npy::load");
  FileStream stream(file);
  Header const header = read_header(stream);
  check_fits(header, stream.place(), dtype_of<X>(), safetensors::Form<X>::shape());
  return safetensors::leaf_of<X>(sizes_of(header),
                                 [&](auto* to) { read_elements(stream, header, to); });
}

/// The dtype and the sizes of the array in an npy file: `float32 "784 10"`. Throws `FileError`.
std::string load_contents(std::filesystem::path const& path);

}  // namespace tenon::internal::npy

namespace tenon::npy {

using internal::npy::load;
using internal::npy::load_contents;

}  // namespace tenon::npy

#if TENON_DEFINES_RUNTIME
#include <tenon/io/npy/load.ipp>
#endif
