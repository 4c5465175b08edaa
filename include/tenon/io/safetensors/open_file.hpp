#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenon/core/half.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>

namespace tenon::internal::safetensors {

static_assert(std::endian::native == std::endian::little,
              "tenon::safetensors: files hold little-endian numbers, and so must the machine");

/// A floating number in another dtype, rounded to nearest even.
template <FloatType T, FloatType From>
constexpr T rounded_to(From value) {
  if constexpr (std::is_same_v<T, From>) return value;
  else if constexpr (HalfType<From> && HalfType<T>) return T(static_cast<float>(value));
  else return static_cast<T>(value);
}

/// An open file, or the files of an index, for `TreeReader`.
class OpenFile {
 public:
  static constexpr bool casts = true;

  explicit OpenFile(std::filesystem::path const& path) : contents_(path) {}

  Header const& index() const { return contents_.header(); }
  std::string const& name() const { return contents_.name(); }
  std::string_view who() const { return "load"; }

  template <class Tree>
  static constexpr void check_tree() {
    safetensors::check_tree<Tree>();
  }
  template <class Leaf>
  static constexpr void check_storable() {
    safetensors::check_storable<Leaf>();
  }
  template <class Leaf>
  static StoredDtype const& dtype() {
    return dtype_in_file<Leaf>();
  }
  template <class Leaf>
  static Shape shape() {
    return shape_in_file<Leaf>();
  }
  /// Without the axis of the parts of a complex128.
  template <class Leaf>
  static Sizes sizes(Entry const& entry) {
    Sizes sizes = sizes_of(entry);
    if constexpr (is_tensor<Leaf>)
      for (int i = Leaf::rank; i < max_rank; ++i) at(sizes, i) = 1;
    return sizes;
  }
  void check_dtype(std::string const&) const {}

  /// Reads the elements of an entry, which has passed the checks, in its dtype or another floating
  /// one.
  template <class T>
  void read(std::string const& name, T* to) const {
    Entry const& entry = *find_entry(index(), name);
    std::size_t const bytes = entry.end - entry.begin;
    if constexpr (FloatType<T>) {
      if (entry.dtype != &stored_dtype<T>()) return read_cast(entry, to);
    }
    contents_.read(entry, 0, to, bytes);
    if constexpr (std::same_as<T, bool>)
      check_bools(name, reinterpret_cast<std::byte*>(to), bytes, this->name());
  }
  void read(std::string const& name, std::complex<double>* to) const {
    read(name, reinterpret_cast<double*>(to));
  }

  /// The elements of an entry in memory.
  std::byte const* mapped(Entry const& entry) const { return contents_.mapped(entry); }

 private:
  template <class T>
  void read_cast(Entry const& entry, T* to) const {
    std::string_view const from = entry.dtype->dtype;
    if (from == "float32") read_cast_from<float>(entry, to);
    else if (from == "float64") read_cast_from<double>(entry, to);
    else if (from == "float16") read_cast_from<float16>(entry, to);
    else read_cast_from<bfloat16>(entry, to);
  }

  template <class From, class T>
  void read_cast_from(Entry const& entry, T* to) const {
    constexpr std::size_t at_once = 1 << 14;
    std::size_t const count = (entry.end - entry.begin) / sizeof(From);
    std::vector<From> part((std::min)(count, at_once));
    for (std::size_t done = 0; done < count; done += part.size()) {
      part.resize((std::min)(count - done, at_once));
      contents_.read(entry, done * sizeof(From), part.data(), part.size() * sizeof(From));
      for (std::size_t i = 0; i < part.size(); ++i) to[done + i] = rounded_to<T>(part[i]);
    }
  }

  Contents contents_;
};

}  // namespace tenon::internal::safetensors
