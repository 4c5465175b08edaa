#pragma once

#include <cstdint>

#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/simd/lanes_machine.hpp>

namespace tenon::internal::simd {

/// True in the lanes whose number has the bit `step`.
template <int step, class T>
TENON_INLINE inline Flags<T> odd_lanes() {
  T odd[width<T>];
  for (int i = 0; i < width<T>; ++i) odd[i] = (i & step) != 0 ? T(1) : T(0);
  return Native::not_equal(Batch<T>::load_unaligned(odd), Batch<T>(T(0)));
}

/// For every 2 `step` lanes: the first half of x followed by that of y; and the second halves.
template <int step, class T, class Machine = Native>
TENON_INLINE inline void exchange_halves(Batch<T>& x, Batch<T>& y) {
  Batch<T> const upper = x, lower = y;
  if constexpr (requires { Machine::template first_halves<step>(x, y); }) {
    x = Machine::template first_halves<step>(upper, lower);
    y = Machine::template second_halves<step>(upper, lower);
  } else {
    Flags<T> const odd = odd_lanes<step, T>();
    x = Native::select(odd, Native::template exchanged<step>(lower), upper);
    y = Native::select(odd, lower, Native::template exchanged<step>(upper));
  }
}

/// Transposes a square of as many registers as each has lanes: exchanges its quarters, recursively.
template <class T, int step = width<T> / 2>
TENON_INLINE inline void transpose_registers(Batch<T> (&row)[width<T>]) {
#pragma GCC unroll 16
  for (int i = 0; i < width<T>; ++i) {
    if ((i & step) == 0) exchange_halves<step>(row[i], row[i + step]);
  }
  if constexpr (step > 1) transpose_registers<T, step / 2>(row);
}

/// The part of a square at an edge, or with strided elements; zeros for the rest.
template <class T>
void load_part(std::int64_t m, std::int64_t n, StridedMatrix<T const> from,
               Batch<T> (&row)[width<T>]) {
  for (int i = 0; i < width<T>; ++i) {
    T part[width<T>] = {};
    for (std::int64_t j = 0; i < m && j < n; ++j) part[j] = from(i, j);
    row[i] = Batch<T>::load_unaligned(part);
  }
}

/// Writes the transpose of m x n elements, at most a square of registers; zeros for rows beyond m.
template <class T>
[[gnu::noinline]] void transpose_square(std::int64_t m, std::int64_t n, StridedMatrix<T const> from,
                                        T* to, std::int64_t to_row) {
  Batch<T> row[width<T>];
  if (m == width<T> && n == width<T> && from.column_stride == 1) {
#pragma GCC unroll 16
    for (int i = 0; i < width<T>; ++i) row[i] = Batch<T>::load_unaligned(&from(i, 0));
    transpose_registers(row);
#pragma GCC unroll 16
    for (int j = 0; j < width<T>; ++j) row[j].store_unaligned(to + j * to_row);
  } else {
    load_part(m, n, from, row);
    transpose_registers(row);
    for (std::int64_t j = 0; j < n; ++j) row[j].store_unaligned(to + j * to_row);
  }
}

}  // namespace tenon::internal::simd
