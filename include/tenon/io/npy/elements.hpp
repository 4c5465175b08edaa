#pragma once

#include <cstddef>

#include <tenon/core/config.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/io/npy/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>

/// Tensors, numbers and keys in files of NumPy: a number is an array without axes, a key has two
/// words.
namespace tenon::internal::npy {

template <class Leaf>
inline constexpr bool is_storable = safetensors::is_storable<Leaf>;

template <class Leaf>
constexpr StoredDtype const& dtype_of() {
  using T = safetensors::StoredWithComplex128<typename safetensors::Form<Leaf>::Element>;
  static_assert(dtype_named(dtype_name<T>) != nullptr,
                "tenon::npy: the dtype of a tensor has no type string of NumPy");
  return *dtype_named(dtype_name<T>);
}

/// An array of a file is a leaf.
template <class X>
constexpr void check_array() {
  static_assert(!Expression<X> || is_tensor<X>,
                "tenon::npy: an expression is not stored; evaluate it first, with eval");
  static_assert(Expression<X> || is_storable<X>,
                "tenon::npy: expected a tensor or a number; npz files store structs");
}

/// The sizes of an array of at most eight axes.
Sizes sizes_of(Header const& header);

/// The distances of neighbours along the axes, in elements, in the order of the file.
Sizes strides_of(Header const& header);

/// Reads the elements, the rest of the stream, to row-major memory. Needs little memory besides it.
/// Throws `FileError`, also for a bool other than 0 and 1.
void read_elements(ByteStream& stream, Header const& header, void* to);

}  // namespace tenon::internal::npy

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal::npy {

TENON_RUNTIME Sizes sizes_of(Header const& header) {
  return safetensors::sizes_of({.sizes = header.sizes});
}

TENON_RUNTIME Sizes strides_of(Header const& header) {
  Sizes const sizes = sizes_of(header);
  int const rank = static_cast<int>(header.sizes.size());
  if (!header.fortran_order) return row_major(sizes, rank);
  Sizes strides{};
  std::int64_t stride = 1;
  for (int i = 0; i < rank; ++i) {
    at(strides, i) = stride;
    stride *= at(sizes, i);
  }
  return strides;
}

/// Puts the elements of a file in Fortran order where they are in row-major order.
class ColumnMajorReader {
 public:
  ColumnMajorReader(Header const& header, std::byte* to)
      : rank_(static_cast<int>(header.sizes.size())),
        sizes_(sizes_of(header)),
        strides_(row_major(sizes_, rank_)),
        to_(to) {}

  /// Reads all that is left, `width` bytes an element.
  template <std::size_t width>
  void read(ByteStream& stream) {
    std::vector<std::byte> some(std::min<std::uint64_t>(stream.left(), most_bytes));
    while (stream.left() > 0) {
      some.resize(std::min<std::uint64_t>(stream.left(), most_bytes));
      stream.read(some.data(), some.size());
      scatter<width>(some);
    }
  }

 private:
  static constexpr std::uint64_t most_bytes = 1 << 20;

  /// Runs along the first axis are contiguous in the file.
  template <std::size_t width>
  void scatter(std::vector<std::byte> const& some) {
    for (std::size_t done = 0; done < some.size();) {
      auto const left = static_cast<std::int64_t>((some.size() - done) / width);
      std::int64_t const run = (std::min)(left, sizes_[0] - index_[0]);
      std::byte* to = to_ + place() * std::int64_t{width};
      for (std::int64_t i = 0; i < run; ++i, done += width, to += strides_[0] * std::int64_t{width})
        std::memcpy(to, some.data() + done, width);
      advance(run);
    }
  }

  std::int64_t place() const {
    std::int64_t sum = 0;
    for (int i = 0; i < rank_; ++i) sum += at(index_, i) * at(strides_, i);
    return sum;
  }

  void advance(std::int64_t run) {
    index_[0] += run;
    for (int i = 0; i + 1 < rank_ && at(index_, i) == at(sizes_, i); ++i) {
      at(index_, i) = 0;
      ++at(index_, i + 1);
    }
  }

  int rank_;
  Sizes sizes_, strides_;
  std::byte* to_;
  Sizes index_{};
};

TENON_RUNTIME void read_in_fortran_order(ByteStream& stream, Header const& header, std::byte* to) {
  ColumnMajorReader reader(header, to);
  switch (header.dtype->bits) {
    case 8:
      return reader.read<1>(stream);
    case 16:
      return reader.read<2>(stream);
    case 32:
      return reader.read<4>(stream);
    case 64:
      return reader.read<8>(stream);
    default:
      return reader.read<16>(stream);
  }
}

TENON_RUNTIME void read_elements(ByteStream& stream, Header const& header, void* to) {
  auto* const bytes = static_cast<std::byte*>(to);
  std::size_t const count = stream.left();
  if (header.fortran_order && header.sizes.size() > 1) read_in_fortran_order(stream, header, bytes);
  else stream.read(bytes, count);
  ArrayPlace const& place = stream.place();
  if (header.dtype->dtype == "bool")
    safetensors::check_bools(place.what, bytes, count, place.where, place.who);
}

}  // namespace tenon::internal::npy

#endif
