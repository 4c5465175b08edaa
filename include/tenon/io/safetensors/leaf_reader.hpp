#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <string>
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

/// Reads entries as leaves of trees: tensors, numbers, keys. They must have been checked.
class LeafReader {
 public:
  explicit LeafReader(Contents const& contents) : contents_(contents) {}

  template <class Leaf>
  Leaf read(std::string const& name, Entry const& entry) const {
    if constexpr (is_tensor<Leaf>) {
      Leaf leaf = Leaf::uninitialised(leaf_sizes<Leaf>(entry));
      leaf.set_elements([&](auto* to) { read_elements(name, entry, to); });
      return leaf;
    } else if constexpr (tree::is_key<Leaf>) {
      op::PhiloxKey words{};
      read_elements(name, entry, words.data());
      return Key(words);
    } else {
      Leaf leaf{};
      read_elements(name, entry, &leaf);
      return leaf;
    }
  }

  /// The sizes of a leaf, without the axis of the parts of a complex128.
  template <class Leaf>
  static Sizes leaf_sizes(Entry const& entry) {
    Sizes sizes = sizes_of(entry);
    for (int i = Leaf::rank; i < max_rank; ++i) at(sizes, i) = 1;
    return sizes;
  }

 private:
  template <class T>
  void read_elements(std::string const& name, Entry const& entry, T* to) const {
    std::size_t const bytes = entry.end - entry.begin;
    if constexpr (FloatType<T>) {
      if (entry.dtype != &stored_dtype<T>()) return read_cast(entry, to);
    }
    contents_.read(entry, 0, to, bytes);
    if constexpr (std::same_as<T, bool>)
      check_bools(name, reinterpret_cast<std::byte*>(to), bytes, contents_.name());
  }

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
    std::vector<From> part(std::min(count, at_once));
    for (std::size_t done = 0; done < count; done += part.size()) {
      part.resize(std::min(count - done, at_once));
      contents_.read(entry, done * sizeof(From), part.data(), part.size() * sizeof(From));
      for (std::size_t i = 0; i < part.size(); ++i) to[done + i] = rounded_to<T>(part[i]);
    }
  }

  Contents const& contents_;
};

}  // namespace tenon::internal::safetensors
