#pragma once

#include <concepts>
#include <string_view>

namespace tenon {

/// The processor: SIMD loops on a pool of threads.
struct Cpu {
  static constexpr std::string_view name = "cpu";
  static constexpr bool is_host = true;
};

/// The judge of all other devices: naive loops, one element at a time.
struct Reference {
  static constexpr std::string_view name = "reference";
  static constexpr bool is_host = true;
};

/// The device of a number of the language: it follows the tensor it meets.
struct AnyDevice {
  static constexpr std::string_view name = "any";
  static constexpr bool is_host = true;
};

template <class D>
concept Device = requires {
  { D::name } -> std::convertible_to<std::string_view>;
  { D::is_host } -> std::convertible_to<bool>;
};

}  // namespace tenon
