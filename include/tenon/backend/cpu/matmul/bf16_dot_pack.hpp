#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <tenon/backend/cpu/matmul/bf16_dot_place.hpp>
#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/simd/lanes_half.hpp>
#include <tenon/backend/cpu/simd/transpose.hpp>

/// Packs operands into squares of pairs, from any layout.
namespace tenon::internal::simd {

/// Sixteen registers of sixteen pairs: the lines of a square, or for each pair all lines.
using PairSquare = Batch<float>[Pairs::lines];

/// A register per line: terms are contiguous.
inline void load_lines(bfloat16 const* from, std::int64_t line, PairSquare& to) {
#pragma GCC unroll 16
  for (int i = 0; i < Pairs::lines; ++i)
    to[i] = Batch<float>::load_unaligned(reinterpret_cast<float const*>(from + i * line));
}
/// Two terms of sixteen contiguous lines.
TENON_INLINE inline Batch<float> load_pair(bfloat16 const* from, std::int64_t step) {
  Words const even = Native::load_words(&from->bits), odd = Native::load_words(&from[step].bits);
  return value_of(even | (odd << 16));
}
/// A register per pair.
inline void load_steps(bfloat16 const* from, std::int64_t step, PairSquare& to) {
#pragma GCC unroll 16
  for (int q = 0; q < Pairs::lines; ++q) to[q] = load_pair(from + 2 * q * step, step);
}

/// At most a square from `from`, whose rows are lines and whose columns are steps, padded with
/// zeros. If steps are contiguous `to` has lines, otherwise the steps of all lines.
inline void copy_part(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from,
                      bfloat16 (&to)[Pairs::square]) {
  std::fill_n(to, Pairs::square, bfloat16());
  if (from.column_stride == 1) {
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * Pairs::depth, &from(i, 0), static_cast<std::size_t>(k) * sizeof(*to));
  } else {
    for (std::int64_t p = 0; p < k; ++p)
      for (std::int64_t i = 0; i < n; ++i) to[p * Pairs::lines + i] = from(i, p);
  }
}

/// One square; `by_pairs`: in the order of a right operand, for each pair all lines. (`Square` is a
/// parameter, so that the function compiles for targets with other registers.)
template <bool by_pairs, class Square = PairSquare>
void pack_square(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from, bfloat16* to) {
  bool const has_lines = from.column_stride == 1;
  bool const straight = has_lines || from.row_stride == 1;
  Square square;
  alignas(64) bfloat16 part[Pairs::square];
  if (n < Pairs::lines || k < Pairs::depth || !straight) {
    copy_part(n, k, from, part);
    from = {part, has_lines ? Pairs::depth : 1, has_lines ? 1 : Pairs::lines};
  }
  if (has_lines) load_lines(from.data, from.row_stride, square);
  else load_steps(from.data, from.column_stride, square);
  if constexpr (width<float> == Pairs::lines)
    if (has_lines == by_pairs) transpose_registers(square);
#pragma GCC unroll 16
  for (int i = 0; i < Pairs::lines; ++i)
    square[i].store_unaligned(reinterpret_cast<float*>(to + i * Pairs::depth));
}

/// A whole panel of a right operand with contiguous lines, two squares at a time, so that whole
/// cache lines of distant memory are read.
inline void pack_both(bfloat16 const* from, std::int64_t step, bfloat16* to) {
  for (int q = 0; q < Pairs::lines; ++q, from += 2 * step, to += Pairs::depth) {
    load_pair(from, step).store_unaligned(reinterpret_cast<float*>(to));
    load_pair(from + Pairs::lines, step)
        .store_unaligned(reinterpret_cast<float*>(to + Pairs::square));
  }
}

/// One step of a panel: at most 32 lines and 32 steps.
template <bool by_pairs>
void pack_step(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from, bfloat16* to) {
  if (by_pairs && n == Pairs::panel && k == Pairs::depth && from.row_stride == 1)
    return pack_both(from.data, from.column_stride, to);
  for (std::int64_t i = 0; i < n; i += Pairs::lines, to += Pairs::square)
    pack_square<by_pairs>(std::min<std::int64_t>(Pairs::lines, n - i), k, from.from(i, 0), to);
}

/// Packs the terms from `first` to `last` of n lines of k terms, in memory order.
template <bool by_pairs>
[[gnu::noinline]] void pack_pairs(std::int64_t n, std::int64_t k, std::int64_t first,
                                  std::int64_t last, StridedMatrix<bfloat16 const> from,
                                  bfloat16* to) {
  auto const pack = [&](std::int64_t j, std::int64_t p) {
    std::int64_t const lines = std::min<std::int64_t>(Pairs::panel, n - j);
    pack_step<by_pairs>(lines, std::min<std::int64_t>(Pairs::depth, last - p), from.from(j, p),
                        to + Pairs::elements(j, k) + p * Pairs::whole_lines(lines));
  };
  if (from.column_stride == 1) {
    for (std::int64_t j = 0; j < n; j += Pairs::panel)
      for (std::int64_t p = first; p < last; p += Pairs::depth) pack(j, p);
  } else {
    for (std::int64_t p = first; p < last; p += Pairs::depth)
      for (std::int64_t j = 0; j < n; j += Pairs::panel) pack(j, p);
  }
}
template <bool by_pairs>
void pack_pairs(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from, bfloat16* to) {
  pack_pairs<by_pairs>(n, k, 0, k, from, to);
}

}  // namespace tenon::internal::simd
