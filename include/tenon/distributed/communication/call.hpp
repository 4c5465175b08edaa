#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/core/shape.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal::mpi {

/// Source location of a collective call.
using SourceLocation = std::source_location;

/// The signature of a collective call: equal on all ranks of a group, except the location.
struct Call {
  std::string_view operation{};
  std::string_view detail{};  ///< "sum", the axis; "" for none.
  std::string_view dtype{};
  std::string_view spec{};
  Sizes sizes = unit_sizes();  ///< Those that have to be equal; the others are `dynamic`.
  int rank = 0;                ///< The number of sizes.
  int root = -1;
  SourceLocation where = SourceLocation::current();
  bool is_gradient = false;
  bool is_recorded = false;  ///< Whether a backward follows, in which ranks communicate.
};

/// A 64-bit hash: FNV-1a over words of eight bytes, with a shift that propagates high bits down
/// (http://www.isthe.com/chongo/tech/comp/fnv).
struct Fingerprint {
  std::uint64_t value = 0xcbf29ce484222325u;

  constexpr void add(std::string_view text) {
    mix(text.size());
    for (; text.size() >= 8; text.remove_prefix(8)) mix(word_of(text.substr(0, 8)));
    if (!text.empty()) mix(word_of(text));
  }
  constexpr void add(std::int64_t number) { mix(static_cast<std::uint64_t>(number)); }

 private:
  static constexpr std::uint64_t word_of(std::string_view bytes) {
    std::uint64_t word = 0;
    if (!__builtin_is_constant_evaluated())
      return std::memcpy(&word, bytes.data(), bytes.size()), word;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
    return word;
  }
  constexpr void mix(std::uint64_t word) {
    value = (value ^ word) * 0x100000001b3u;
    value ^= value >> 29;
  }
};

constexpr std::uint64_t fingerprint_of(Call const& call) {
  Fingerprint print;
  for (auto const text : {call.operation, call.detail, call.dtype, call.spec}) print.add(text);
  for (int i = 0; i < call.rank; ++i) print.add(at(call.sizes, i));
  print.add(call.rank);
  print.add(call.root);
  print.add(call.is_gradient + 2 * call.is_recorded);
  return print.value;
}

/// What has to be equal in addition to the call: the leaves of a tree, the axes of a mesh.
struct Details {
  std::uint64_t fingerprint = 0;
  std::function<std::string()> text{};  ///< A line for each; called only if ranks differ.
};

/// `train.cpp:31`; "" for an unknown location.
inline std::string place_of(SourceLocation const& where) {
  std::string_view const path = where.file_name();
  if (path.empty()) return {};
  std::string const file(path.substr(path.find_last_of('/') + 1));
  return file + ":" + std::to_string(where.line());
}

/// `all_reduce<sum> float32 "batch d=8" of 4 8 (train.cpp:31)`
inline std::string description_of(Call const& call) {
  std::string text(call.is_gradient ? "gradient of " : "");
  text.append(call.operation);
  if (!call.detail.empty()) text.append("<").append(call.detail).append(">");
  if (!call.dtype.empty()) text.append(" ").append(call.dtype);
  if (!call.dtype.empty()) text.append(" \"").append(call.spec).append("\"");
  for (int i = 0; i < call.rank; ++i) {
    std::int64_t const size = at(call.sizes, i);
    text.append(i == 0 ? " of " : " ").append(size == dynamic ? "_" : std::to_string(size));
  }
  if (call.is_recorded) text.append(", recorded");
  if (call.root >= 0) text.append(", root ").append(std::to_string(call.root));
  std::string const place = place_of(call.where);
  return place.empty() ? text : text + " (" + place + ")";
}

}  // namespace tenon::internal::mpi
