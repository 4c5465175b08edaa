#pragma once

#include <cstdint>

namespace tenon::internal::linalg {

/// (a + aᵀ) / 2, to `to`: exactly a where a is symmetric.
template <class T, class N>
constexpr void symmetrise(N n, T const* a, T* to) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) to[i * n + j] = a[i * n + j] / 2 + a[j * n + i] / 2;
}

}  // namespace tenon::internal::linalg
