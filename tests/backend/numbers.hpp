#pragma once

// The operands of the tested expressions: adjacent numbers differ, and integers include the largest
// and the smallest value.

#include <cstdint>

#include <tenon/tenon.hpp>

template <class T>
T number_of(T, std::int64_t k) {
  return static_cast<T>(static_cast<double>(k) * 0.01 - 2.0);
}
inline std::int32_t number_of(std::int32_t, std::int64_t k) {
  if (k < 4) return k == 0 ? INT32_MIN : k == 1 ? INT32_MAX : k == 2 ? 0 : -1;
  return static_cast<std::int32_t>((k - 200) * 10007);
}

template <class R, class... I>
R numbers(int seed, I... sizes) {
  R result = tenon::zeros<R>(sizes...);
  auto* const to = result.own_memory();
  for (std::int64_t k = 0; k < result.size(); ++k)
    to[k] = number_of(typename R::value_type(0), (k * 37 + seed * 1013) % 409);
  return result;
}
