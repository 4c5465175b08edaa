#pragma once

// Matrices of bfloat16, and their matmuls by loops in double.

#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/tenon.hpp>

namespace tenon {

/// Numbers between -2 and 2, close to bfloat16 values.
inline std::vector<bfloat16> spread(std::int64_t count, int from) {
  std::vector<bfloat16> x;
  for (std::int64_t i = 0; i < count; ++i)
    x.push_back(bfloat16(static_cast<double>((i * 37 + from + i / 401) % 401) / 100 - 2));
  return x;
}

inline double number(bfloat16 x) { return static_cast<double>(x); }

/// True if c is the product of a and b (plus the previous c when accumulating), within the rounding
/// error of float sums.
inline bool is_product(std::int64_t m, std::int64_t n, std::int64_t k,
                       tenon::internal::StridedMatrix<bfloat16 const> a,
                       tenon::internal::StridedMatrix<bfloat16 const> b, float const* c,
                       double before) {
  bool right = true;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = before, size = std::abs(before);
      for (std::int64_t p = 0; p < k; ++p) {
        double const term = number(a(i, p)) * number(b(p, j));
        sum += term;
        size += std::abs(term);
      }
      double const bound = size * static_cast<double>(k + 1) * 0x1p-24;
      right = right && std::abs(static_cast<double>(c[i * n + j]) - sum) <= bound;
    }
  }
  return right;
}

}  // namespace tenon
