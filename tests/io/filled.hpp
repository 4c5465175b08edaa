#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <tenon/tensor/tensor.hpp>

using namespace tenon::internal;

/// A tensor with different adjacent bytes; a mask with every third element true.
template <class T>
T filled(tenon::internal::Sizes const& sizes) {
  T tensor = T::uninitialised(sizes);
  auto* const bytes = reinterpret_cast<unsigned char*>(tensor.own_memory());
  auto const size = static_cast<std::size_t>(tensor.size()) * sizeof(typename T::value_type);
  constexpr bool is_bool = std::is_same_v<typename T::value_type, bool>;
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<unsigned char>(is_bool ? i % 3 == 0 : i * 37 + 11);
  }
  return tensor;
}

template <class T>
bool same_bits(T const& a, T const& b) {
  auto const bytes = static_cast<std::size_t>(a.size()) * sizeof(typename T::value_type);
  return a.sizes() == b.sizes() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}
