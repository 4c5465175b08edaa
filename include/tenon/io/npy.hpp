#pragma once

#include <bit>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/npy/elements.hpp>
#include <tenon/io/npy/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>
#include <tenon/tensor/view.hpp>

namespace tenon::internal::npy {

/// A leaf to be written to a file.
template <class Leaf>
safetensors::Item item_of(std::string name, Leaf const& leaf) {
  return {std::move(name),
          &dtype_of<Leaf>(),
          safetensors::sizes_of_leaf(leaf),
          safetensors::Form<Leaf>::data(leaf),
          safetensors::bytes_in_file(leaf),
          safetensors::bringer_of<Leaf>()};
}

/// Atomically writes a file with this array.
void write_array(std::filesystem::path const& path, safetensors::Item const& array);

/// Saves a tensor, or a number, as an npy file, in C order: the bytes that NumPy writes. A bfloat16
/// is `<V2`, as that of the package ml_dtypes: `np.load(path).view(ml_dtypes.bfloat16)`. The file
/// is written atomically. Throws `FileError`. NumPy: `np.save`.
template <class X>
void save(std::filesystem::path const& path, X const& x) {
  check_array<X>();
  if constexpr (is_storable<X>) write_array(path, item_of({}, x));
}

}  // namespace tenon::internal::npy

namespace tenon::npy {

using internal::npy::save;

}  // namespace tenon::npy

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

namespace tenon::internal::npy {

/// Maps a file whose array fits; `header` is set to its header.
MappedFile map_array(std::filesystem::path const& path, StoredDtype const& dtype,
                     Shape const& shape, Header& header);

}  // namespace tenon::internal::npy

namespace tenon::npy {

/// An npy file in memory without a copy, read where it is used; `X` is a tensor type of the host.
/// `view()` is a view of its elements, which must not outlive this object; an array in Fortran
/// order has strides accordingly. Checked and thrown as by `load`; the elements must be aligned, as
/// in files of NumPy and Tenon. The file may be replaced by `save` meanwhile, but not shortened.
/// NumPy: `np.load(path, mmap_mode="r")`.
template <class X>
class Mapped {
  static_assert(internal::is_tensor<X>, "tenon::npy::Mapped: expected a tensor type");
  static_assert(X::device::is_host, "tenon::npy::Mapped: the memory of a file is the host's");
  using T = typename X::value_type;

 public:
  explicit Mapped(std::filesystem::path const& path)
      : memory_(internal::npy::map_array(path, internal::npy::dtype_of<X>(), X::shape, header_)) {}

  View<T, X::spec> view() const& {
    auto const* const elements = reinterpret_cast<T const*>(memory_.data() + header_.data_at);
    return {elements, internal::npy::sizes_of(header_), internal::npy::strides_of(header_)};
  }
  void view() const&& = delete;

 private:
  internal::npy::Header header_{};
  internal::MappedFile memory_;
};

}  // namespace tenon::npy

// Arrays in the npy files of NumPy: `npy::save`, `npy::load`, `npy::load_contents`, `npy::Mapped`.

#if TENON_DEFINES_RUNTIME

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::npy {

TENON_RUNTIME void write_array(std::filesystem::path const& path, safetensors::Item const& array) {
  AtomicFile file(path, "npy::save");
  file.write(head_of(*array.dtype, array.sizes));
  safetensors::HostElements const elements(array);
  file.write(elements.data(), elements.bytes());
  file.commit();
}

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

#endif
