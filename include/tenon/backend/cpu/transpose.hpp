#pragma once

#include <cstdint>

#include <tenon/backend/cpu/lanes_machine.hpp>
#include <tenon/backend/cpu/matrix.hpp>

namespace tenon::simd {

/// True in the lanes whose number has the bit `step`.
template <int step, class T>
[[gnu::always_inline]] inline Flags<T> odd_lanes() {
  T odd[width<T>];
  for (int i = 0; i < width<T>; ++i) odd[i] = (i & step) != 0 ? T(1) : T(0);
  return Native::not_equal(Batch<T>::load_unaligned(odd), Batch<T>(T(0)));
}

/// Transposes a square of as many registers as each has lanes: exchanges its quarters, then theirs.
template <class T, int step = width<T> / 2>
[[gnu::always_inline]] inline void transpose_registers(Batch<T> (&row)[width<T>]) {
  Flags<T> const odd = odd_lanes<step, T>();
#pragma GCC unroll 16
  for (int i = 0; i < width<T>; ++i) {
    if ((i & step) != 0) continue;
    Batch<T> const upper = row[i], lower = row[i + step];
    row[i] = Native::select(odd, Native::template exchanged<step>(lower), upper);
    row[i + step] = Native::select(odd, lower, Native::template exchanged<step>(upper));
  }
  if constexpr (step > 1) transpose_registers<T, step / 2>(row);
}

/// Writes the transposed of m x n elements, at most a square of registers; zeros for rows beyond m.
/// All of `from` but a part at its edges lies in whole registers.
template <class T>
void transpose_square(std::int64_t m, std::int64_t n, StridedMatrix<T const> from, T* to,
                      std::int64_t to_row) {
  Batch<T> row[width<T>];
  bool const unit = from.column_stride == 1;
#pragma GCC unroll 16
  for (int i = 0; i < width<T>; ++i) {
    if (i >= m) row[i] = Batch<T>(T(0));
    else if (unit && n == width<T>) row[i] = Batch<T>::load_unaligned(&from(i, 0));
    else {
      T part[width<T>] = {};
      for (std::int64_t j = 0; j < n; ++j) part[j] = from(i, j);
      row[i] = Batch<T>::load_unaligned(part);
    }
  }
  transpose_registers(row);
  for (std::int64_t j = 0; j < n; ++j) row[j].store_unaligned(to + j * to_row);
}

}  // namespace tenon::simd
