#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/npy/header.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/tensor/tensor.hpp>

/// IDX files, the format of the MNIST data: two zeros, a code of the dtype, the number of axes, a
/// size of four bytes for each, and the elements, all big-endian.
namespace tenon::internal::idx {

static_assert(std::endian::native == std::endian::little,
              "tenon::idx: files hold big-endian numbers, and are read on little-endian machines");

struct Code {
  unsigned char code;
  std::string_view dtype;
};
inline constexpr std::array codes{Code{0x08, "uint8"},   Code{0x09, "int8"},
                                  Code{0x0b, "int16"},   Code{0x0c, "int32"},
                                  Code{0x0d, "float32"}, Code{0x0e, "float64"}};

/// Reads the header; the rest of the stream is the elements.
safetensors::Entry read_header(ByteStream& stream);

/// Reverses the bytes of each element.
template <class T>
void swap_bytes(T* elements, std::int64_t count) {
  if constexpr (sizeof(T) > 1) {
    auto* const bytes = reinterpret_cast<std::byte*>(elements);
    auto const end = static_cast<std::size_t>(count) * sizeof(T);
    for (std::size_t at = 0; at < end; at += sizeof(T))
      std::reverse(bytes + at, bytes + at + sizeof(T));
  }
}

template <class T>
inline constexpr bool has_code =
    std::ranges::find(codes, dtype_name<T>, &Code::dtype) != codes.end();

/// Loads an IDX file as a tensor: uint8, int8, int16, int32, float32 or float64, which must be its
/// dtype. Run-time sizes are those of the file, which is checked before its elements are read.
/// Throws `FileError`, or `ShapeError` for axes that do not fit. (A gzip file is decompressed
/// first.) Format: http://yann.lecun.com/exdb/mnist
template <TensorType X>
X load(std::filesystem::path const& path) {
  using T = typename X::value_type;
  static_assert(has_code<T>, "tenon::idx: IDX files have no such dtype");
  InputFile const file(path, "idx::load");
  FileStream stream(file);
  safetensors::Header header;
  safetensors::Entry const& entry = header.entries[""] = read_header(stream);
  safetensors::LeafCheck(header, {}, file.name(), file.who())
      .leaf("", *npy::dtype_named(dtype_name<T>), X::shape);
  X x = X::uninitialised(safetensors::sizes_of(entry));
  x.set_elements([&](T* to) {
    stream.read(to, stream.left());
    swap_bytes(to, x.size());
  });
  return x;
}

/// The dtype and the sizes of the array in an IDX file: `uint8 "60000 28 28"`. Throws `FileError`.
std::string load_contents(std::filesystem::path const& path);

}  // namespace tenon::internal::idx

namespace tenon::idx {

using internal::idx::load;
using internal::idx::load_contents;

}  // namespace tenon::idx

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::idx {

/// "0x0b"
inline std::string byte_text(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'0', 'x', digits[byte >> 4], digits[byte & 15u]};
}

inline void read_or_refuse(ByteStream& stream, void* to, std::size_t bytes) {
  if (stream.left() < bytes)
    stream.place().refuse("an IDX file with a whole header", "the end of the file in it");
  stream.read(to, bytes);
}

inline npy::StoredDtype const* dtype_of_code(unsigned char code, ArrayPlace const& place) {
  auto const* const found = std::ranges::find(codes, code, &Code::code);
  if (found == codes.end())
    place.refuse("a code of a dtype, 0x08, 0x09 or 0x0b to 0x0e", byte_text(code));
  return npy::dtype_named(found->dtype);
}

/// Refuses another number of bytes than the elements have, before they are read.
inline void check_size(safetensors::Entry const& entry, ByteStream const& stream) {
  auto const [wanted, fits] = safetensors::bytes_of(entry);
  if (!fits) stream.place().refuse("sizes of less than 2^60 bytes", "others");
  if (wanted == stream.left()) return;
  stream.place().refuse(std::to_string(wanted) + " bytes of elements for its sizes",
                        std::to_string(stream.left()) + " bytes");
}

TENON_RUNTIME safetensors::Entry read_header(ByteStream& stream) {
  ArrayPlace const& place = stream.place();
  std::array<unsigned char, 4> start{};
  read_or_refuse(stream, start.data(), start.size());
  if (start[0] == 0x1f && start[1] == 0x8b)
    place.refuse("an IDX file", "a gzip file, which gunzip decompresses");
  if (start[0] != 0 || start[1] != 0)
    place.refuse("an IDX file, which begins with two zeros",
                 byte_text(start[0]) + " " + byte_text(start[1]));
  safetensors::Entry entry{.dtype = dtype_of_code(start[2], place)};
  if (start[3] > max_rank) place.refuse("at most 8 axes", std::to_string(start[3]));
  entry.sizes.reserve(start[3]);
  for (int axis = 0; axis < start[3]; ++axis) {
    std::array<unsigned char, 4> size{};
    read_or_refuse(stream, size.data(), size.size());
    entry.sizes.push_back(std::int64_t{size[0]} << 24 | size[1] << 16 | size[2] << 8 | size[3]);
  }
  check_size(entry, stream);
  return entry;
}

TENON_RUNTIME std::string load_contents(std::filesystem::path const& path) {
  InputFile const file(path, "idx::load_contents");
  FileStream stream(file);
  return safetensors::described({}, {}, read_header(stream));
}

}  // namespace tenon::internal::idx

#endif
